/** The style sheets in a page, as far as they can hide text: element, class and id selectors. Pure. */
import type { Attributes } from "./text-visibility.ts";

/** The declarations that a page's own style sheets give an element, later rules behind; empty where there are none. */
export type StyleSheet = (name: string, attributes: Attributes) => string;

interface Rule {
  readonly element: string;
  readonly id: string;
  readonly classes: readonly string[];
  readonly declarations: string;
}

const MAX_RULES = 500;
/** Combinators are left out: only the last part says what is hidden, and a page that hides more is no better credited. */
const SELECTOR = /(?:^|[\s>+~])(?<element>\*|[a-z][\w-]*)?(?<rest>(?:[.#][\w-]+)*)$/i;

/** Reads every `style` element of a page's source. */
export function styleSheetOf(source: string): StyleSheet {
  const rules = rulesOf(withoutComments(sheetsOf(source)));
  if (rules.length === 0) return () => "";
  return (name, attributes) => {
    const classes = new Set((attributes["class"] ?? "").split(/\s+/));
    const matching = rules.filter(
      (rule) =>
        (rule.element === "" || rule.element === name) &&
        (rule.id === "" || rule.id === attributes["id"]) &&
        rule.classes.every((each) => classes.has(each)),
    );
    return matching.map(({ declarations }) => declarations).join(";");
  };
}

/** Each search begins where the last one ended, so that no page takes longer than it is long. */
function sheetsOf(source: string): string {
  const begin = /<(?:\w+:)?style(?=[\s>])/gi;
  const end = /<\/(?:\w+:)?style/gi;
  const sheets: string[] = [];
  while (begin.test(source)) {
    const from = source.indexOf(">", begin.lastIndex) + 1;
    end.lastIndex = from;
    const close = from === 0 ? null : end.exec(source);
    if (close === null) break;
    sheets.push(source.slice(from, close.index));
    begin.lastIndex = end.lastIndex;
  }
  return sheets.join("\n");
}

function withoutComments(css: string): string {
  const [lead = "", ...parts] = css.split("/*");
  const kept = parts.map((part) => (part.includes("*/") ? part.slice(part.indexOf("*/") + 2) : ""));
  return [lead, ...kept].join(" ").replaceAll(/<!\[CDATA\[|\]\]>/g, " ");
}

function rulesOf(css: string): Rule[] {
  return css
    .split("}")
    .slice(0, MAX_RULES)
    .flatMap((part) => {
      // What stands before an inner brace is an at-rule's condition.
      const pieces = part.split("{");
      const declarations = pieces.at(-1) ?? "";
      return (pieces.at(-2) ?? "").split(",").flatMap((selector) => ruleOf(selector.trim(), declarations));
    })
    .slice(0, MAX_RULES);
}

function ruleOf(selector: string, declarations: string): Rule[] {
  const { element = "", rest = "" } = SELECTOR.exec(selector)?.groups ?? {};
  if (element === "" && rest === "") return [];
  const parts = rest.match(/[.#][\w-]+/g) ?? [];
  return [
    {
      element: element === "*" ? "" : element.toLowerCase(),
      id: parts.find((part) => part.startsWith("#"))?.slice(1) ?? "",
      classes: parts.filter((part) => part.startsWith(".")).map((part) => part.slice(1)),
      declarations,
    },
  ];
}
