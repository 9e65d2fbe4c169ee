import { Parser } from "htmlparser2";
import { styleSheetOf } from "./page-styles.ts";
import { type Attributes, isSeen, type Paint, paintInside, PLAIN } from "./text-visibility.ts";

/** What a page shows, as far as credits go. */
export interface PageMarkup {
  /** `href` and `src` of its pictures, as they are written. */
  readonly references: readonly string[];
  /** What can be read, a text block each: one `text` element, one paragraph. White space is single spaces. */
  readonly blocks: readonly string[];
}

/** A page that cannot be judged, and why. */
export interface UnreadablePage {
  readonly reason: string;
}

const MAX_DEPTH = 256;
const MAX_ELEMENTS = 200_000;
const MAX_BLOCKS = 20_000;

const PICTURES: ReadonlySet<string> = new Set(["image", "img", "feimage"]);
/** Text before, within and behind these belongs to different blocks. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body caption dd div dl dt figcaption figure footer foreignobject h1 h2 h3 h4 h5 h6 " +
    "header hr li main nav ol p pre section svg table td text th tr ul"
  ).split(" "),
);

type Ground = "none" | "svg" | "html";

interface Frame {
  readonly paint: Paint;
  /** Whose rules text here follows; `none` is between SVG's shapes, where text is not drawn at all. */
  readonly ground: Ground;
}

class TooMuch extends Error {}

/** Reads an SVG file. Nothing is fetched and no entity but XML's own is resolved. */
export function readSvg(source: string): PageMarkup | UnreadablePage {
  if (/<!ENTITY/i.test(source)) return { reason: "it declares entities, which are not resolved" };
  if (!/<(?:[\w-]+:)?svg[\s>/]/i.test(source)) return { reason: "it is not an SVG" };
  return read(source, "none");
}

/** Reads text, Markdown or HTML: a blank line begins a new block, as a block element does. */
export function readText(source: string): PageMarkup | UnreadablePage {
  const text = source
    .replaceAll("\r\n", "\n")
    // What stands in place of a picture is seen only when the picture is not; an address is not read.
    .replace(/!\[[^[\]]{0,1000}\]\([^()\n]{0,2000}\)/g, " ")
    .replace(/\]\([^()\n]{0,2000}\)/g, "] ")
    // An address in angle brackets is no tag.
    .replace(/<((?:https?|mailto):[^<>\s]{0,2000})>/gi, "$1");
  const shown = read(text, "html");
  if ("reason" in shown) return shown;
  return { ...shown, references: [...shown.references, ...markdownPictures(source)] };
}

function markdownPictures(source: string): string[] {
  return [...source.matchAll(/!\[[^[\]]{0,1000}\]\(\s*<?([^()<>\n]{1,2000})/g)].map((match) =>
    match[1]!.replace(/\s+["'].*$/, "").trim(),
  );
}

function read(source: string, ground: "none" | "html"): PageMarkup | UnreadablePage {
  const references: string[] = [];
  const blocks: string[] = [];
  const frames: Frame[] = [{ paint: PLAIN, ground }];
  const styles = styleSheetOf(source);
  let elements = 0;
  let current = "";

  const flush = () => {
    const parts = ground === "html" ? current.split(/\n[^\S\n]*\n/) : [current];
    blocks.push(...parts.map((part) => part.replace(/\s+/g, " ").trim()).filter((part) => part !== ""));
    current = "";
    if (blocks.length > MAX_BLOCKS) throw new TooMuch(`it has more than ${MAX_BLOCKS} texts`);
  };

  const parser = new Parser(
    {
      onopentag(rawName, attributes) {
        if (++elements > MAX_ELEMENTS) throw new TooMuch(`it has more than ${MAX_ELEMENTS} elements`);
        if (frames.length > MAX_DEPTH) throw new TooMuch(`its elements are nested deeper than ${MAX_DEPTH}`);
        const name = localName(rawName);
        if (PICTURES.has(name)) references.push(...referencesOf(attributes));
        if (BLOCKS.has(name)) flush();
        // A span that is placed anew, or a line break, parts words that nothing else parts.
        else if (name === "br" || "x" in attributes || "y" in attributes || "dy" in attributes) current += " ";
        const outer = frames.at(-1)!;
        frames.push({
          paint: paintInside(outer.paint, name, attributes, styles(name, attributes)),
          ground: groundInside(outer.ground, name),
        });
      },
      onclosetag(rawName) {
        if (BLOCKS.has(localName(rawName))) flush();
        if (frames.length > 1) frames.pop();
      },
      ontext(text) {
        const { paint, ground: here } = frames.at(-1)!;
        if (here !== "none" && isSeen(paint, here === "html")) current += text;
      },
    },
    { xmlMode: ground === "none", decodeEntities: true },
  );
  try {
    parser.end(source);
    flush();
  } catch (error) {
    if (error instanceof TooMuch) return { reason: error.message };
    throw error;
  }
  return { references, blocks };
}

function groundInside(outer: Ground, name: string): Ground {
  if (name === "foreignobject") return "html";
  if (name === "svg") return "none";
  return name === "text" && outer === "none" ? "svg" : outer;
}

function referencesOf(attributes: Attributes): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => (/^(?:\w+:)?href$|^src$/i.test(name) ? [value] : []));
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1).toLowerCase();
}
