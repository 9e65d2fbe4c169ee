/** Whether text is seen where it stands in SVG or HTML: what an element inherits, and what it says itself. Pure. */

export type Attributes = Readonly<Record<string, string>>;

/** How text directly inside an element would be painted. */
export interface Paint {
  /** Once false, nothing inside can bring it back. */
  readonly drawn: boolean;
  /** These are inherited, and an element inside may say otherwise. */
  readonly visible: boolean;
  readonly filled: boolean;
  readonly opaque: boolean;
  readonly colored: boolean;
  readonly sized: boolean;
}

export const PLAIN: Paint = { drawn: true, visible: true, filled: true, opaque: true, colored: true, sized: true };

/** Elements whose text is no part of the picture where it stands. */
const NEVER_DRAWN: ReadonlySet<string> = new Set([
  "clippath",
  "defs",
  "desc",
  "filter",
  "head",
  "lineargradient",
  "marker",
  "mask",
  "metadata",
  "noscript",
  "pattern",
  "radialgradient",
  "script",
  "style",
  "symbol",
  "template",
  "title",
]);

/** The paint inside an element of this lower-case name; `sheet` holds what style sheets declare for it. */
export function paintInside(outer: Paint, name: string, attributes: Attributes, sheet: string): Paint {
  const inline = declarations(`${sheet};${attributes["style"] ?? ""}`);
  const value = (property: string) => inline.get(property) ?? attributes[property]?.trim().toLowerCase();
  const hidden = NEVER_DRAWN.has(name) || "hidden" in attributes || value("display") === "none";
  const fill = value("fill");
  const fillOpacity = value("fill-opacity");
  const color = value("color");
  const size = value("font-size");
  const visibility = value("visibility");
  return {
    drawn: outer.drawn && !hidden && !isZero(value("opacity")),
    visible: visibility === undefined || visibility === "inherit" ? outer.visible : visibility === "visible",
    filled: overridden(outer.filled, fill, isClear(fill)),
    opaque: overridden(outer.opaque, fillOpacity, isZero(fillOpacity)),
    colored: overridden(outer.colored, color, isClear(color)),
    sized: overridden(outer.sized, size, isZero(size)) && (outer.sized || !/(?:em|%)$/.test(size ?? "")),
  };
}

/** `html` for text that is painted by `color`, as in a `foreignObject`; SVG's own text is painted by `fill`. */
export function isSeen({ drawn, visible, filled, opaque, colored, sized }: Paint, html: boolean): boolean {
  return drawn && visible && sized && (html ? colored : filled && opaque);
}

function overridden(inherited: boolean, value: string | undefined, hides: boolean): boolean {
  return value === undefined || value === "inherit" ? inherited : !hides;
}

function declarations(style: string): Map<string, string> {
  const pairs = style.split(";").map((declaration) => {
    const colon = declaration.indexOf(":");
    const value = declaration.slice(colon + 1).replace(/!\s*important\s*$/i, "");
    return [declaration.slice(0, Math.max(0, colon)).trim().toLowerCase(), value.trim().toLowerCase()] as const;
  });
  return new Map(pairs);
}

function isZero(value: string | undefined): boolean {
  return value !== undefined && Number.parseFloat(value) <= 0;
}

/** A color that leaves nothing to see: `none`, or one with an alpha of zero. */
function isClear(color: string | undefined): boolean {
  if (color === undefined) return false;
  if (color === "none" || color === "transparent") return true;
  if (color.startsWith("#"))
    return (color.length === 9 && color.endsWith("00")) || (color.length === 5 && color.endsWith("0"));
  const parts =
    /^(?:rgb|hsl)a?\(([^()]*)\)$/
      .exec(color)?.[1]
      ?.trim()
      .split(/[\s,/]+/) ?? [];
  return parts.length === 4 && isZero(parts[3]);
}
