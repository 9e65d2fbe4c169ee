import type { Attempt } from "../cascade/attempt.ts";
import type { JobContext } from "../context.ts";
import { oneLine } from "../images/text.ts";
import type { ReverseImageQuery } from "../providers/types.ts";
import { worth } from "../web/no-answer.ts";
import { type ReverseImages, sorted } from "./matches.ts";
import type { ReverseImageRequest } from "./request.ts";
import { reverseCascade, reverseMulti } from "./search.ts";
import { reverseSummary } from "./summary.ts";

export interface ReverseAnswer extends ReverseImages {
  /** Markdown. */
  readonly summary: string;
  /** Nothing was found, but not every engine could be asked. */
  readonly degraded?: true;
  readonly attempts: readonly Attempt[];
}

type Options = Pick<ReverseImageRequest, "mode" | "country" | "locale" | "language">;

/**
 * One search by an image that is on the web. Nothing found is an answer; `providers-failed` and `no-provider` are thrown
 * when no engine answered.
 */
export async function reverseImage(imageUrl: string, options: Options, context: JobContext): Promise<ReverseAnswer> {
  const query = reverseQuery(imageUrl, options);
  const run = await (options.mode === "cascade" ? reverseCascade : reverseMulti)(query, context);
  const images = sorted(run.findings);
  return {
    ...images,
    summary: reverseSummary(images, { language: options.language, clean: oneLine }),
    ...worth(run.attempts),
    attempts: run.attempts,
  };
}

export function reverseQuery(
  imageUrl: string,
  { country, locale }: Omit<Options, "mode" | "language">,
): ReverseImageQuery {
  return {
    imageUrl,
    ...(country ? { country: country.toLowerCase() } : {}),
    ...(locale ? { locale } : {}),
  };
}
