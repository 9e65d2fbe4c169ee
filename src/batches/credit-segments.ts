/** Which stretch of a page's text credits whom: a license mention belongs to the author beside it. Pure. */
import { isRunTogetherAt } from "../images/text.ts";

export type CcKind = "by" | "by-sa";

/** One credit that a page owes; images of one author under one license owe it together. */
export interface OwedCredit {
  /** Folded, without a leading ©. */
  readonly author: string;
  readonly kind: CcKind;
}

/** `shared`: there is such a credit, but it serves another author already. */
export type CreditState = "served" | "shared" | "no-license" | "no-author";

interface Segment {
  readonly text: string;
  readonly kind: CcKind | "other";
}

const MENTION = /(?<![\p{L}\p{N}])cc[ -]?by(?<terms>(?:[ -](?:nc|nd|sa)(?![\p{L}\p{N}]))*)(?![\p{L}])/gu;

/**
 * How every owed credit is met by the texts that can be read, each folded and with plain dashes. One license mention
 * serves one author, so that a single credit never covers several.
 */
export function assignSegments(
  credits: readonly OwedCredit[],
  blocks: readonly string[],
): ReadonlyMap<OwedCredit, CreditState> {
  const authors = [...new Set(credits.map(({ author }) => author))];
  const segments = blocks.flatMap((block) => segmentsOf(block, authors));
  const options = new Map<OwedCredit, readonly Segment[]>();
  for (const credit of credits) {
    const fitting = segments.filter(({ text, kind }) => kind === credit.kind && names(text, credit.author));
    // With as many to choose from as there are credits, one is always left over.
    options.set(credit, fitting.slice(0, credits.length));
  }
  const served = new Set(matched(options).values());
  return new Map(
    credits.map((credit) => {
      if (served.has(credit)) return [credit, "served"];
      if (options.get(credit)!.length > 0) return [credit, "shared"];
      return [credit, blocks.some((block) => names(block, credit.author)) ? "no-license" : "no-author"];
    }),
  );
}

/** With one mention the whole block is its credit; with several each has the text up to its neighbor. */
function segmentsOf(block: string, authors: readonly string[]): Segment[] {
  const mentions = [...block.matchAll(MENTION)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    kind: kindOf(match.groups?.["terms"] ?? ""),
  }));
  const [first] = mentions;
  if (first === undefined) return [];
  if (mentions.length === 1) return [{ text: block, kind: first.kind }];
  const lead = block.slice(0, first.start);
  const isAuthorFirst = authors.some((author) => names(lead, author));
  return mentions.map(({ start, end, kind }, index) => ({
    text: isAuthorFirst
      ? block.slice(mentions[index - 1]?.end ?? 0, end)
      : block.slice(start, mentions[index + 1]?.start ?? block.length),
    kind,
  }));
}

function kindOf(terms: string): Segment["kind"] {
  if (/n[cd]/.test(terms)) return "other";
  return terms.includes("sa") ? "by-sa" : "by";
}

/** The largest matching of credits to segments, by augmenting paths. */
function matched(options: ReadonlyMap<OwedCredit, readonly Segment[]>): Map<Segment, OwedCredit> {
  const taken = new Map<Segment, OwedCredit>();
  const place = (credit: OwedCredit, tried: Set<Segment>): boolean => {
    for (const segment of options.get(credit) ?? []) {
      if (tried.has(segment)) continue;
      tried.add(segment);
      const holder = taken.get(segment);
      if (holder === undefined || place(holder, tried)) {
        taken.set(segment, credit);
        return true;
      }
    }
    return false;
  };
  for (const credit of options.keys()) place(credit, new Set());
  return taken;
}

/** Whether an author's name stands in a text whole: `Al` is not named by `Alps`. */
function names(text: string, author: string): boolean {
  if (author === "") return false;
  for (let at = text.indexOf(author); at >= 0; at = text.indexOf(author, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + author.length)) return true;
  }
  return false;
}

function isBoundary(text: string, at: number): boolean {
  const between = /^[\p{L}\p{M}\p{N}]{2}$/u.test(`${text.slice(0, at).slice(-1)}${text.slice(at, at + 1)}`);
  return !between || isRunTogetherAt(text, at);
}
