import { attemptsSchema, type Attempt } from "./answers.ts";
import type { Problem } from "./failure.ts";

/** A problem in lines for people: what is wrong, where, what each provider did, and what can be tried. */
export function problemLines(problem: Problem): string[] {
  const faults = listOf(problem["errors"]).flatMap((fault) =>
    isFault(fault) && !problem.detail.includes(fault.detail) ? [`  ${fault.pointer}: ${fault.detail}`] : [],
  );
  const attempts = attemptsSchema.safeParse(problem["attempts"]).data ?? [];
  const advice = listOf(problem["try"]).filter((line) => typeof line === "string");
  return [
    problem.detail,
    ...faults,
    ...attemptLines(attempts),
    ...advice.map((line) => `Try: ${line}`),
    ...(problem.code === "unauthorized" ? ["Set SLUICE_API_KEY to a key of this deployment."] : []),
  ];
}

/** One line a provider that was asked. */
export function attemptLines(attempts: readonly Attempt[]): string[] {
  return attempts
    .filter((attempt) => attempt.class !== "skipped")
    .map(({ provider, outcome, class: kind, detail }) => {
      const what = outcome === "failed" ? `failed (${[kind, detail].filter(Boolean).join(": ")})` : outcome;
      return `  ${provider}: ${what}`;
    });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isFault(value: unknown): value is { pointer: string; detail: string } {
  return typeof value === "object" && value !== null && "pointer" in value && "detail" in value;
}
