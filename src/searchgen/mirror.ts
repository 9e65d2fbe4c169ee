import pMap from "p-map";
import { z } from "zod";
import { earlier } from "../cascade/deadline.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import { sniffImage } from "../pixels/sniff.ts";
import { checkStructure } from "../pixels/structure.ts";
import { objectKey, putObject } from "../storage/objects.ts";
import { signLink } from "../storage/signed-link.ts";
import type { SearchGenImageResult } from "./contract.ts";
import { isClientRaster } from "./probe.ts";

export interface Mirror {
  readonly bucket: R2Bucket;
  readonly tenant: string;
  readonly publicUrl: string;
  readonly signingSecret: string;
}

const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
/** Each picture is in memory whole, and an isolate has 128 MB. */
const AT_ONCE = 2;
const IMAGE_MS = 6_000;
/** What is remembered of an address: where our copy of its picture lies. */
const FACT = "mirrored";
const copySchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  extension: z.string().regex(/^[a-z]{2,5}$/),
});
type Copy = z.infer<typeof copySchema>;
const COPY_SECONDS = 60 * 60;
/** Left for answering. */
const RESERVE_MS = 1_000;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The mirror of this deployment; says which setting is missing. */
export function mirrorOf(context: JobContext, bucket: R2Bucket, tenant: string): Mirror {
  const { publicUrl, signingSecrets } = context.config;
  const [signingSecret] = signingSecrets;
  if (publicUrl === undefined || signingSecret === undefined) {
    const missing = publicUrl === undefined ? "PUBLIC_URL" : "SIGNING_SECRET";
    throw new SluiceError("misconfigured", `SEARCH_MIRROR is on but the setting ${missing} is missing.`);
  }
  return { bucket, tenant, publicUrl, signingSecret };
}

/**
 * Stores pictures and gives them URLs of our own that need no header and stay valid for a year, in rank order until
 * `wanted` are stored or the time is over. Pictures that could not be stored are left out.
 */
export async function mirrorImages(
  images: readonly SearchGenImageResult[],
  wanted: number,
  mirror: Mirror,
  context: JobContext,
): Promise<SearchGenImageResult[]> {
  const deadline = earlier(context.deadline, RESERVE_MS, context.clock);
  const stored = new Set<string>();
  const results = await pMap(
    images,
    async (image) => {
      if (stored.size >= wanted || deadline.signal.aborted) return undefined;
      const url = await store(image.imageUrl, mirror, context, deadline.signal);
      if (url !== undefined) stored.add(url);
      return url === undefined ? undefined : { ...image, imageUrl: url, thumbnailUrl: url };
    },
    { concurrency: AT_ONCE },
  );
  return unique(results.filter((result) => result !== undefined)).slice(0, wanted);
}

/** The same bytes get the same URL, and the client takes rows with one URL for one picture: the best-placed stays. */
function unique(images: readonly SearchGenImageResult[]): SearchGenImageResult[] {
  const seen = new Set<string>();
  return images.filter(({ imageUrl }) => !seen.has(imageUrl) && seen.add(imageUrl));
}

async function store(
  url: string,
  mirror: Mirror,
  context: JobContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  const links = context.cache?.wish === "use" ? context.cache.links : undefined;
  const known = await links?.known(FACT, url, copySchema);
  const copy = known ?? (await download(url, mirror, context, signal));
  if (copy === undefined) return undefined;
  if (known === undefined) links?.remember(FACT, url, copy, COPY_SECONDS);
  const token = await signLink(
    {
      tenant: mirror.tenant,
      resource: objectKey(mirror.tenant, copy.sha256),
      actions: ["read"],
      expires: Math.floor(context.clock.now() / 1000) + YEAR_SECONDS,
    },
    mirror.signingSecret,
  );
  // The client takes the file's extension from the end of the URL.
  return `${mirror.publicUrl}/s/${token}/image.${copy.extension}`;
}

async function download(
  url: string,
  mirror: Mirror,
  context: JobContext,
  signal: AbortSignal,
): Promise<Copy | undefined> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const options = { timeLimitMs: IMAGE_MS, maxBytes: MAX_IMAGE_BYTES, signal };
    const file = await context.door.download(url, options);
    if (file.status >= 400) return undefined;
    bytes = file.bytes;
  } catch {
    return undefined;
  }
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "refused" || !isClientRaster(sniffed) || checkStructure(bytes, sniffed) !== undefined) {
    return undefined;
  }
  // A bucket that fails costs the mirrored copy, never the search.
  const object = await putObject(mirror.bucket, mirror.tenant, bytes, sniffed.mime).catch(() => undefined);
  return object === undefined ? undefined : { sha256: object.sha256, extension: sniffed.extension };
}
