import type { FailureClass } from "../../src/cascade/outcome.ts";
import { braveCases } from "./cases/brave.ts";
import { chatCases } from "./cases/chat.ts";
import { type CaseFacts, type FaultCase, htmlCase, jsonCase, plainCase } from "./cases/fault-case.ts";
import { geminiCases } from "./cases/gemini.ts";
import { githubCases } from "./cases/github.ts";
import { googleCseCases } from "./cases/google-cse.ts";
import { imgbbCases } from "./cases/imgbb.ts";
import { mediawikiCases, wikipediaCases } from "./cases/mediawiki.ts";
import { openverseCases } from "./cases/openverse.ts";
import { pexelsCases } from "./cases/pexels.ts";
import { pixabayCases } from "./cases/pixabay.ts";
import { previewCases } from "./cases/previews.ts";
import { saucenaoCases } from "./cases/saucenao.ts";
import { searxngCases } from "./cases/searxng.ts";
import { serpapiCases } from "./cases/serpapi.ts";
import { serperCases } from "./cases/serper.ts";
import { tavilyCases } from "./cases/tavily.ts";

export type { FaultCase };

const CASES: Readonly<Record<string, (facts: CaseFacts) => FaultCase[]>> = {
  serpapi: serpapiCases,
  "google-cse": googleCseCases,
  serper: serperCases,
  brave: braveCases,
  searxng: searxngCases,
  wikipedia: wikipediaCases,
  pexels: pexelsCases,
  pixabay: pixabayCases,
  openverse: openverseCases,
  wikimedia: mediawikiCases,
  saucenao: saucenaoCases,
  github: githubCases,
  imgbb: imgbbCases,
  gemini: geminiCases,
  tavily: tavilyCases,
  chat: chatCases,
};

/** The moment at which `FAULT_CASES` were "received", epoch milliseconds: the resets in their headers count from it. */
export const FAULT_CASES_RECEIVED_AT = Date.parse("2026-11-20T08:00:00Z");

/** Each row of each upstream's error table, by upstream id, with the class that it must be read as. */
export const FAULT_CASES: Readonly<Record<string, readonly FaultCase[]>> = Object.fromEntries(
  Object.entries(CASES).map(([upstream, cases]) => [
    upstream,
    cases({ key: "planted-key-0123", nowSeconds: FAULT_CASES_RECEIVED_AT / 1000 }),
  ]),
);

/** The cases of one upstream with the caller's key in them; those of image hosts for every other id. */
export function faultCases(upstream: string, facts: CaseFacts): readonly FaultCase[] {
  return CASES[upstream]?.(facts) ?? previewCases();
}

/** How an upstream shows a class; the nearest that HTTP has where its table knows no such row. */
export function caseOfClass(
  upstream: string,
  failureClass: Exclude<FailureClass, "skipped" | "timeout"> | "empty",
  facts: CaseFacts,
): FaultCase {
  const own = CASES[upstream]?.(facts).find(({ expected }) => expected === failureClass);
  return own ?? genericCase(failureClass, facts);
}

function genericCase(
  failureClass: Exclude<FailureClass, "skipped" | "timeout"> | "empty",
  facts: CaseFacts,
): FaultCase {
  const error = { error: `The request with ${facts.key} was refused.` };
  switch (failureClass) {
    case "auth":
      return jsonCase("generic-auth", 401, "auth", error);
    case "quota":
      return jsonCase("generic-quota", 402, "quota", error);
    case "rate":
      return jsonCase("generic-rate", 429, "rate", error, { headers: { "retry-after": "7" }, retryAfterMs: 7_000 });
    case "transient":
      return jsonCase("generic-transient", 503, "transient", error);
    case "bad-request":
      return jsonCase("generic-bad-request", 400, "bad-request", error);
    case "blocked":
      return htmlCase("generic-blocked", 403, "blocked", "Access denied");
    case "malformed":
      return htmlCase("generic-malformed", 200, "malformed", "Just a moment...");
    case "empty":
      return plainCase("generic-empty", 200, "empty", "");
  }
}
