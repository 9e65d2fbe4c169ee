/**
 * The small part of Markdown in which models and tools answer, as a tree. Pure. Whatever it does not know, HTML above
 * all, stays text.
 */
import { webUrl } from "./links.ts";

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "strong" | "emphasis"; readonly content: readonly Inline[] }
  | { readonly kind: "link"; readonly url: string; readonly content: readonly Inline[] };

export type Block =
  | { readonly kind: "paragraph"; readonly content: readonly Inline[] }
  | { readonly kind: "heading"; readonly content: readonly Inline[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" };

/** Nested emphasis deeper than this is not emphasis, it is an attack on the stack. */
const DEEPEST = 4;

const FENCE = /^ {0,3}```/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const HEADING = /^ {0,3}#{1,6}\s+(.+?)\s*#*$/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;

export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", content: parseInline(paragraph.join("\n")) });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    if (FENCE.test(line)) {
      endParagraph();
      // A fence that nothing closes reaches to the end: the answer may still be on its way.
      const close = lines.findIndex((each, index) => index > at && FENCE.test(each));
      const end = close < 0 ? lines.length : close;
      blocks.push({ kind: "code", text: lines.slice(at + 1, end).join("\n") });
      at = end;
    } else if (line.trim() === "") endParagraph();
    else if (RULE.test(line)) {
      endParagraph();
      blocks.push({ kind: "rule" });
    } else if (heading !== null) {
      endParagraph();
      blocks.push({ kind: "heading", content: parseInline(heading[1]!) });
    } else if (item !== null) {
      endParagraph();
      const ordered = item[1] !== undefined;
      const items: string[] = [];
      while (at < lines.length) {
        const next = ITEM.exec(lines[at]!);
        if (next !== null && (next[1] !== undefined) === ordered && !RULE.test(lines[at]!)) items.push(next[2]!);
        else if (/^\s+\S/.test(lines[at]!) && next === null) items.push(`${items.pop()!}\n${lines[at]!.trim()}`);
        else break;
        at++;
      }
      at--;
      blocks.push({ kind: "list", ordered, items: items.map((each) => parseInline(each)) });
    } else paragraph.push(line);
  }
  endParagraph();
  return blocks;
}

/** One alternative a kind, the first that matches at a place counts. None can match nothing. */
const INLINE =
  /`([^`\n]{1,1000})`|\*\*(?=\S)([^\n]{1,1000}?)(?<=\S)\*\*|(?<![\w*])\*(?=[^\s*])([^*\n]{1,1000}?)(?<=\S)\*(?![\w*])|\[([^\]\n]{1,500})\]\((\S{1,2000}?)\)|(https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]*_])|(\n)/g;

function parseInline(text: string, depth = 0): Inline[] {
  const content: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) content.push({ kind: "text", text: text.slice(end, match.index) });
    content.push(inlineOf(match, depth));
    end = match.index + match[0].length;
  }
  if (end < text.length) content.push({ kind: "text", text: text.slice(end) });
  return content;
}

function inlineOf(match: RegExpExecArray, depth: number): Inline {
  const [whole, code, strong, emphasis, label, target, bare, newline] = match;
  if (code !== undefined) return { kind: "code", text: code };
  if (newline !== undefined) return { kind: "break" };
  if (depth >= DEEPEST) return { kind: "text", text: whole };
  if (strong !== undefined) return { kind: "strong", content: parseInline(strong, depth + 1) };
  if (emphasis !== undefined) return { kind: "emphasis", content: parseInline(emphasis, depth + 1) };
  const url = webUrl(target ?? bare);
  if (url === undefined) return { kind: "text", text: whole };
  // A label is shown as it is: a link inside a link would hide where it leads.
  return { kind: "link", url, content: [{ kind: "text", text: label ?? whole }] };
}
