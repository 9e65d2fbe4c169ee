import type { RequestWarning } from "./request.ts";
import { fold, foldedWords, scriptRuns } from "./text.ts";
import { GENERIC_TERMS } from "./words.ts";

export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly RequestWarning[] }
  | { readonly ok: false; readonly reason: string };

/** `query_variants`: a string or a list. Repeats of the query or of each other go, other word order included. */
export function parseQueryVariants(raw: unknown, query = ""): Parsed<readonly string[]> {
  const items = listOf(raw);
  if (items === undefined) return { ok: false, reason: "query_variants must be a string or list of strings" };
  const variants = items.map((item) => (typeof item === "string" ? item.trim() : ""));
  if (variants.includes("")) return { ok: false, reason: "query_variants items must be non-empty strings" };
  const seen = new Set([wordOrderKey(query)]);
  const value = variants.filter((variant) => {
    const key = wordOrderKey(variant);
    return !seen.has(key) && seen.add(key);
  });
  return { ok: true, value, warnings: [] };
}

/**
 * `required_terms`: a string or a list, each split at commas into groups and each group at `|` into alternatives.
 * A group with an alternative that many places share is taken, with a warning.
 */
export function parseRequiredTerms(raw: unknown): Parsed<readonly string[]> {
  const items = listOf(raw);
  if (items === undefined) return { ok: false, reason: "required_terms must be a string or list of strings" };
  const texts = items.filter((item) => typeof item === "string");
  if (texts.length < items.length) return { ok: false, reason: "required_terms items must be strings" };
  const groups = texts.flatMap((text) => text.split(/[,，]/u).map((group) => group.trim()));
  const value = groups.filter((group) => group !== "");
  return { ok: true, value, warnings: value.flatMap(genericWarning) };
}

function listOf(raw: unknown): readonly unknown[] | undefined {
  if (raw === undefined || raw === null || raw === "") return [];
  if (typeof raw === "string") return [raw];
  return Array.isArray(raw) ? raw : undefined;
}

function genericWarning(group: string): RequestWarning[] {
  const alternatives = group.split("|").map((alternative) => alternative.trim());
  const generic = alternatives.filter((alternative) => GENERIC_TERMS.has(foldedWords(alternative).join(" ")));
  if (generic.length === 0) return [];
  const words = generic.map((word) => `"${word}"`).join(", ");
  return [
    {
      code: "generic-required-term",
      words: generic,
      detail: `${words} in the required term "${group}" fits many places: it proves no identity. Search for it, and require a name.`,
    },
  ];
}

function wordOrderKey(text: string): string {
  const words = scriptRuns(text).map((run) => run.text);
  return words.length > 0 ? words.toSorted().join(" ") : fold(text).trim();
}
