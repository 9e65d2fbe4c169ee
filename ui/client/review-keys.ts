/** The keys of the review page. Pure. */

export type ReviewCommand =
  | { readonly kind: "choose"; readonly digit: number }
  | { readonly kind: "promote" | "next" | "manual" | "help" };

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  /** Lower-case tag of what has the focus, and the type of an input. */
  readonly focus: string;
}

/** Elements that do something by themselves with Enter. */
const ACTIVE = new Set(["button", "a", "summary", "input:checkbox", "select"]);

/** What a key asks for; undefined where it belongs to what has the focus, or to the browser. */
export function commandOf({ key, ctrlKey, altKey, metaKey, focus }: KeyPress): ReviewCommand | undefined {
  const isWriting = focus === "textarea" || (focus.startsWith("input:") && !/:(?:radio|checkbox)$/.test(focus));
  if (ctrlKey || altKey || metaKey || isWriting) return undefined;
  if (/^[1-8]$/.test(key)) return { kind: "choose", digit: Number(key) };
  if (key === "Enter") return ACTIVE.has(focus) && focus !== "input:checkbox" ? undefined : { kind: "promote" };
  if (key === "n" || key === "N") return { kind: "next" };
  if (key === "m" || key === "M") return { kind: "manual" };
  return key === "?" ? { kind: "help" } : undefined;
}
