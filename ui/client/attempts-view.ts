import { h } from "./dom.ts";

export interface Attempt {
  readonly provider: string;
  readonly outcome: "hit" | "empty" | "failed";
  readonly class?: string;
  readonly detail?: string;
  readonly ms: number;
  readonly cached: boolean;
  readonly kept: number;
}

const CLASSES: Readonly<Record<string, string>> = {
  auth: "refused the key",
  quota: "used up its quota",
  rate: "asked to slow down",
  timeout: "took too long",
  transient: "failed for the moment",
  "bad-request": "did not take the request",
  blocked: "is blocked",
  malformed: "answered what cannot be read",
  skipped: "was skipped",
};

/** What happened at one provider: `serpapi: 5 results, 30 ms`. */
export function attemptItem(attempt: Attempt): HTMLElement {
  return h(
    "li",
    { class: `attempt ${attempt.outcome}` },
    h("span", { class: "attempt-name" }, attempt.provider),
    h("span", {}, attemptWords(attempt)),
    attempt.class !== "skipped" &&
      h("span", { class: "muted" }, attempt.cached ? "from the cache" : `${attempt.ms} ms`),
  );
}

function attemptWords({ outcome, class: cause, detail, kept }: Attempt): string {
  if (outcome === "hit") return kept === 1 ? "1 result" : `${kept} results`;
  if (outcome === "empty") return "answered: nothing";
  const words = CLASSES[cause ?? ""] ?? "failed";
  return detail === undefined ? words : `${words} (${detail})`;
}

export function attemptTrail(attempts: readonly Attempt[]): HTMLElement {
  return h(
    "details",
    { class: "trail" },
    h("summary", {}, `Who was asked (${attempts.length})`),
    h("ol", { class: "attempts" }, attempts.map(attemptItem)),
  );
}
