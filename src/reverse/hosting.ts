import { first } from "../cascade/cascade.ts";
import type { Config } from "../config.ts";
import type { JobContext } from "../context.ts";
import { refusal } from "../egress/address-guard.ts";
import { SluiceError } from "../errors.ts";
import { stepsOf } from "../providers/call.ts";
import { imgbb, imgbbUpload } from "../providers/imgbb.ts";
import { signLink } from "../storage/signed-link.ts";
import { type DataImage, readDataImage } from "./data-image.ts";
import type { HostedImage } from "./hosted-image.ts";

export interface HostingOptions {
  readonly context: JobContext;
  readonly bucket: R2Bucket;
  readonly tenant: string;
  /** A name that nobody can guess. */
  newId(): string;
}

/** Longer than any search by image takes, so that a link which leaked is soon worth nothing. */
const LINK_SECONDS = 15 * 60;
const LONGEST_SECONDS = 10 * 60;

/**
 * Puts an image that came as a data URL where search engines can fetch it: on our own origin under a signed link that
 * ends in minutes, or at ImgBB where that is configured and our origin cannot be reached from outside.
 * `invalid-request` when it is no image, `misconfigured` naming the setting when there is no place for it.
 */
export async function hostImage(dataUrl: string, options: HostingOptions): Promise<HostedImage> {
  const image = readDataImage(dataUrl);
  if ("fault" in image) throw unusable(image.fault);
  const { config } = options.context;
  const origin = ownOrigin(config);
  const hasImgbb = config.providerSettings.IMGBB_API_KEY !== undefined;
  if (hasImgbb && (origin === undefined || !isReachable(origin.publicUrl))) return onImgbb(image, options.context);
  if (origin !== undefined) return onOwnOrigin(image, origin, options);
  const missing = config.publicUrl === undefined ? "PUBLIC_URL" : "SIGNING_SECRET";
  throw new SluiceError("misconfigured", `A search by image data needs the setting ${missing}.`);
}

interface Origin {
  readonly publicUrl: string;
  readonly secret: string;
}

function ownOrigin({ publicUrl, signingSecrets: [secret] }: Config): Origin | undefined {
  return publicUrl === undefined || secret === undefined ? undefined : { publicUrl, secret };
}

/** Search engines cannot fetch from a service on one's own machine. */
function isReachable(publicUrl: string): boolean {
  return refusal(new URL(publicUrl), { allowHttp: true }) === undefined;
}

async function onOwnOrigin(image: DataImage, origin: Origin, options: HostingOptions): Promise<HostedImage> {
  const { context, bucket, tenant, newId } = options;
  const key = `tenants/${tenant}/reverse-image/${newId()}`;
  await bucket.put(key, image.bytes, { httpMetadata: { contentType: image.mime } });
  const expires = Math.floor(context.clock.now() / 1000) + LINK_SECONDS;
  const token = await signLink({ tenant, resource: key, actions: ["read"], expires }, origin.secret);
  return {
    url: `${origin.publicUrl}/s/${token}/image.${image.extension}`,
    remove: () => bucket.delete(key).catch(() => {}),
  };
}

/** It deletes the image by itself, when its time is over. */
async function onImgbb(image: DataImage, context: JobContext): Promise<HostedImage> {
  const { config, door, clock, pace } = context;
  const upload = { base64: image.bytes.toBase64(), expiresIn: LONGEST_SECONDS };
  const { hits, attempts } = await first(stepsOf(imgbb, imgbbUpload, upload, config, door, clock.now(), pace), context);
  const uploaded = hits[0]?.results[0];
  if (uploaded !== undefined) return { url: uploaded.url, remove: () => Promise.resolve() };
  throw new SluiceError("providers-failed", "The image could not be put where search engines can fetch it.", {
    context: { attempts },
  });
}

function unusable(detail: string): SluiceError {
  const pointer = "/image_data_url";
  return new SluiceError("invalid-request", `${pointer}: ${detail}`, { faults: [{ pointer, detail }] });
}
