import type { Attempt } from "../cascade/attempt.ts";
import type { JobContext } from "../context.ts";
import { oneLine } from "../images/text.ts";
import { worth } from "../web/no-answer.ts";
import type { SearchedImage } from "./hosted-image.ts";
import { type ReverseImages, sorted } from "./matches.ts";
import type { ReverseImageRequest } from "./request.ts";
import { reverseCascade, reverseMulti, type ReverseSearch } from "./search.ts";
import { reverseSummary } from "./summary.ts";

export interface ReverseAnswer extends ReverseImages {
  /** Markdown. */
  readonly summary: string;
  /** Nothing was found, but not every engine could be asked. */
  readonly degraded?: true;
  /** Everyone failed, and this is an older answer that stood in. */
  readonly stale?: true;
  readonly attempts: readonly Attempt[];
}

type Options = Pick<ReverseImageRequest, "mode" | "country" | "locale" | "language">;

/**
 * One search by an image. Nothing found is an answer; `providers-failed` and `no-provider` are thrown
 * when no engine answered.
 */
export async function reverseImage(
  image: SearchedImage,
  options: Options,
  context: JobContext,
): Promise<ReverseAnswer> {
  const search = reverseSearch(image, options);
  const run = await (options.mode === "cascade" ? reverseCascade : reverseMulti)(search, context);
  const images = sorted(run.findings);
  return {
    ...images,
    summary: reverseSummary(images, { language: options.language, clean: oneLine }),
    ...worth(run.attempts),
    ...(run.stale ? { stale: run.stale } : {}),
    attempts: run.attempts,
  };
}

export function reverseSearch(
  image: SearchedImage,
  { country, locale }: Omit<Options, "mode" | "language">,
): ReverseSearch {
  return { image, ...(country ? { country: country.toLowerCase() } : {}), ...(locale ? { locale } : {}) };
}
