import { createHash } from "node:crypto";
import { type Photograph, type Picture, pictureOf, tagsOf } from "./picture.ts";

/** An image of Pixabay, whose title is its list of tags. What it serves is smaller than what it claims. */
export interface PixabayRecord {
  readonly id: number;
  readonly title: string;
  readonly tags: readonly string[];
  /** With the claimed pixels. */
  readonly picture: Picture;
  readonly user: string;
  readonly pageUrl: string;
  /** Stem of its addresses under `/get/`. */
  readonly file: string;
  /** Searches still give out addresses that have run out; a look-up by id gives new ones. */
  readonly expired?: true;
}

type Row = readonly [
  title: string,
  size: string,
  user: string,
  options?: { readonly tags?: string; readonly expired?: true },
];

const ROWS: Readonly<Record<Photograph, readonly Row[]>> = {
  airplane: [
    ["airplane, above, aerial", "2400x1600", "skyhound"],
    ["biplane, airplane, from above", "1920x1280", "skyhound"],
    ["airplane, world war, above", "2000x1500", "Retrograph"],
    ["vintage airplane, above, clouds", "1800x1200", "Retrograph"],
    ["airplane, roundel, seen from above", "1600x1200", "pixelpilot"],
    ["airplane, flight, above", "4000x2800", "pixelpilot"],
    ["airplane, above, portrait", "1500x2000", "skyhound"],
  ],
  flower: [
    ["flower, allium, bloom", "1600x1200", "floraphil"],
    ["flower, plant, studio", "1800x1200", "floraphil"],
    ["flower, buds, botany", "2000x1500", "herbarist"],
    ["gray flower, nature", "1920x1280", "herbarist"],
    ["flower, onion, garden", "2400x1600", "gartenfee"],
    ["flower, stem, square", "1400x1400", "gartenfee"],
  ],
  canyon: [
    ["canyon, river, colorado", "4836x2915", "rockhopper"],
    ["black canyon, boat, west", "1800x1200", "rockhopper"],
    ["canyon, cliffs, water", "1920x1280", "mesaverde"],
    ["canyon, rocks, landscape", "2000x1500", "mesaverde"],
    ["canyon, gorge, history", "1600x1200", "oldwest"],
    ["canyon, calm, expedition", "2400x1600", "oldwest"],
    ["canyon, river, bend", "1800x1200", "oldwest"],
  ],
  house: [
    ["house, abandoned, prairie", "1800x1385", "dustdevil"],
    ["chongqing, jiefangbei, 重庆, 解放碑", "1800x1200", "yuzhong", { tags: "monument city china" }],
    ["福州, 土楼, 福建", "1600x1200", "minnan", { tags: "fuzhou tulou fujian" }],
  ],
  alps: [
    ["french, alpine, landscape", "2400x1600", "gipfel"],
    ["alpine landscape, french alps, snow", "1920x1280", "gipfel"],
    ["french landscape, alpine forest", "1800x1200", "montblanc"],
    ["landscape, alpine, french, firs", "2000x1500", "montblanc"],
    ["french alpine landscape, peaks", "1600x1200", "savoyard"],
    ["french, alpine landscape, evening", "4000x2600", "savoyard"],
    ["french alpine landscape, wide", "4836x2280", "savoyard"],
  ],
  cat: [
    ["cat, walking, motion", "1800x1200", "katzenhaus"],
    ["cat, muybridge, sequence", "2400x1600", "katzenhaus"],
    ["house cat, animal, running", "1920x1280", "miezi"],
    ["cat, black and white, study", "2000x1500", "miezi"],
    ["cat, gallop, frames", "1600x1200", "felis"],
    ["cat, pet, animal", "1800x1200", "felis"],
    ["cat, address gone", "1800x1200", "felis", { expired: true }],
    ["puma, car, cat", "1800x1200", "autofan", { tags: "puma ford vehicle" }],
  ],
  sheep: [
    ["sheep, lamb, march", "1800x1200", "schaefer"],
    ["pastoral, sheep, meadow", "1600x1200", "schaefer"],
  ],
  boats: [
    ["boats, nagasaki, japan", "1800x1440", "nihonmaru"],
    ["nagasaki, boats, harbor", "2000x1500", "nihonmaru"],
    ["old boats, nagasaki", "1920x1280", "kyushu"],
    ["boats, river, nagasaki", "1600x1200", "kyushu"],
    ["nagasaki, sailing boats", "2400x1600", "dejima"],
    ["boats, roofs, nagasaki", "1800x1200", "dejima"],
    ["长崎, 船, 日本", "1600x1280", "dejima", { tags: "nagasaki boats" }],
  ],
};

export const PIXABAY: readonly PixabayRecord[] = (Object.keys(ROWS) as Photograph[]).flatMap((photograph, group) =>
  ROWS[photograph].map(([title, size, user, options], index) => {
    const id = 310_000 + group * 1009 + index * 17;
    return {
      id,
      title,
      tags: options?.tags === undefined ? tagsOf(photograph) : options.tags.split(" "),
      picture: pictureOf(photograph, index + 6, size),
      user,
      pageUrl: `https://pixabay.com/photos/${title.replaceAll(/[^a-z]+/g, "-").replaceAll(/^-|-$/g, "")}-${id}/`,
      file: `g${createHash("sha256").update(String(id)).digest("hex").slice(0, 40)}`,
      expired: options?.expired,
    };
  }),
);

/** What Pixabay serves at most, whatever it claims: this many pixels on the longer side. */
export const PIXABAY_SIDES = { large: 1280, webformat: 640, preview: 150 } as const;

/** `within(4836, 2915, 1280)` is 1280×772; nothing is made larger. */
export function within(picture: Picture, longerSide: number): { width: number; height: number } {
  const scale = Math.min(1, longerSide / Math.max(picture.width, picture.height));
  return { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) };
}
