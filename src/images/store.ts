import type { JobContext } from "../context.ts";
import { MAX_REVIEW_SIDE, makePreview } from "../pixels/preview.ts";
import { putObject } from "../storage/objects.ts";
import type { ImageCommit, ImageSink } from "./commit.ts";
import type { Original } from "./original.ts";
import { fetchPreview } from "./previews.ts";
import { refuse } from "./refusal.ts";

/** Stores an original and its rendition for review, then commits: what fails before the commit changes nothing. */
export async function storeAndCommit(
  original: Original,
  commit: Omit<ImageCommit, "sha256" | "contentType" | "bytes" | "review">,
  previewUrl: string,
  sink: ImageSink,
  context: JobContext,
): Promise<ImageCommit> {
  const object = await putObject(sink.bucket, sink.tenant, original.bytes, original.contentType);
  const review = await reviewRendition(original, previewUrl, sink, context);
  const whole: ImageCommit = { ...commit, ...object, ...(review === undefined ? {} : { review }) };
  refuse(await sink.project.commit(whole));
  return whole;
}

/** Best effort: of the original where it may be decoded, else of the provider's own preview. */
async function reviewRendition(
  original: Original,
  previewUrl: string,
  sink: ImageSink,
  context: JobContext,
): Promise<string | undefined> {
  let made = makePreview(original.bytes, MAX_REVIEW_SIDE);
  if ("reason" in made && previewUrl !== "") {
    const preview = await fetchPreview(previewUrl, context);
    if (preview instanceof Uint8Array) made = makePreview(preview, MAX_REVIEW_SIDE);
  }
  return "reason" in made ? undefined : (await putObject(sink.bucket, sink.tenant, made.jpeg, "image/jpeg")).sha256;
}
