import type { Attempt } from "../cascade/attempt.ts";
import { type ProblemCode, SluiceError } from "../errors.ts";
import type { CallToolResult } from "@modelcontextprotocol/server";

const LATER = "The same call may work in a minute; if it fails again, tell the user.";
const ANOTHER_NAME = "Use that spelling to replace the image, or call again with another `filename`.";

/** What an agent does next, where it is not what a caller over HTTP does. */
const ADVICE: Readonly<Partial<Record<ProblemCode, string>>> = {
  "invalid-request": "Correct the arguments that are named and call again.",
  forbidden: "Tell the user which scope the key needs; this tool cannot be used without it.",
  "not-found": "Check the project, the filename and the id. Candidates are named as `show_candidates` gave them.",
  "filename-conflict": ANOTHER_NAME,
  "stem-conflict": "Call again with another `filename`.",
  "manual-image-kept": "Leave the image as it is, or call again with another `filename`.",
  "late-attempt": "A batch is at work on this image: see `batch_status`, and call again once its row has ended.",
  "no-match":
    "Call again with a more precise `query`, other `query_variants`, another `provider`, smaller size floors, or without `strict_no_attribution`.",
  "no-pool": "Call show_candidates first, with candidate_page 1, and look at its sheet.",
  "pool-exhausted":
    "Choose from the pages before, or call show_candidates with another `query_variants` and candidate_page 1.",
  "previews-failed": LATER,
  "originals-failed": LATER,
  "promotion-failed": "Call promote_image with another candidate from the sheet.",
  "identity-unconfirmed":
    "Look at the picture on the sheet. Call promote_image again with identity_confirmed: true only when it shows the right subject; else choose another candidate.",
  "providers-failed": LATER,
  "no-provider": "Tell the user: whoever runs this deployment has to set what is missing.",
  misconfigured: "Tell the user: whoever runs this deployment has to set what is missing.",
  internal: "Call again once; if it fails again, tell the user.",
};

/** A tool's failure in words: what happened, where, and what to do next. `remedy` is what HTTP callers are told. */
export function failure(
  error: Error,
  remedy: (code: ProblemCode) => string,
  redact: (text: string) => string,
): CallToolResult {
  const { code, message, faults, context } =
    error instanceof SluiceError ? error : new SluiceError("internal", "The call could not be finished.");
  const text = [
    message,
    ...faults.map(({ pointer, detail }) => `- ${pointer === "" ? "arguments" : pointer.slice(1)}: ${detail}`),
    ...attemptsOf(context).map(describe),
    `Next: ${ADVICE[code] ?? remedy(code)}`,
    `(${code})`,
  ];
  return { content: [{ type: "text", text: redact(text.join("\n")) }], isError: true };
}

/** What the cascade recorded before it failed, for the log and the agent. */
export function attemptsOf(context: Readonly<Record<string, unknown>>): readonly Attempt[] {
  const { attempts } = context;
  return Array.isArray(attempts) ? (attempts as readonly Attempt[]) : [];
}

function describe({ provider, outcome, class: why, detail }: Attempt): string {
  return `- ${provider}: ${why ?? outcome}${detail === undefined ? "" : ` (${detail})`}`;
}
