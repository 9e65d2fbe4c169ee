/** Word lists; folded, single words unless said otherwise. */

/** Say nothing about a subject. Written in capitals in a query of mixed case they are names: `US`, `IT`. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the of at in on to by or and for with from as is it its be we my into onto " +
    "also been have other some than that them this these those using very"
  ).split(" "),
);

/** Describe the picture and not what it shows. They count only where a query has nothing else. */
export const VISUAL_WORDS: ReadonlySet<string> = new Set(
  (
    "background banner cinematic clean commercial cover dramatic editorial hero high image light lighting modern " +
    "natural photo photograph photography picture premium professional quality resolution sharp stock visible visual " +
    "wallpaper"
  ).split(" "),
);

/** What pictures are most often asked to be free of: after a negation these are no part of a name. */
export const UNWANTED_THINGS: ReadonlySet<string> = new Set(
  "car cars crowd crowds face faces human humans logo logos people person text tourist tourists watermark watermarks".split(
    " ",
  ),
);

/** A picture tagged with these is mostly one of traffic, and its place name only that of a stop. */
export const TRANSIT_WORDS: ReadonlySet<string> = new Set(
  (
    "station stations subway subways metro metros rail rails railway railways railroad railroads transit " +
    "airport airports bus buses"
  ).split(" "),
);

/** The same in scripts without word boundaries: found anywhere. */
export const TRANSIT_MARKS: readonly string[] = ["地铁", "地鐵", "站", "轨道", "軌道"];

/** Required terms that every second place could carry. May be several words. */
export const GENERIC_TERMS: ReadonlySet<string> = new Set(
  (
    "ancient town|bridge|canyon|cave|city|floating bridge|forest|gate|grand canyon|ground fissure|lake|monastery|" +
    "monument|river|shrine|square|station|stone forest|stone pillar|stream|temple|valley|village|" +
    "古城|古镇|地缝|大峡谷|寺|峡谷|广场|桥|洞|溪|石林|石柱"
  ).split("|"),
);
