import { createHash } from "node:crypto";
import type { LicenseId } from "./licenses.ts";
import { type Photograph, type Picture, pictureOf, slugOf, tagsOf, type Trouble } from "./picture.ts";
import { commonsFileUrl, commonsPageUrl, WIKIMEDIA } from "./wikimedia.ts";

/** A work in Openverse's index. */
export interface OpenverseRecord {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly picture: Picture;
  readonly license: LicenseId;
  readonly creator: string;
  readonly source: string;
  readonly url: string;
  readonly landingUrl: string;
  readonly filetype: string;
  /** Status of its thumbnail where Openverse cannot make one. */
  readonly thumbnailFails?: 415 | 424;
  readonly trouble?: Trouble;
}

type Source = "flickr" | "met" | "smithsonian" | "rawpixel";
type Options = Partial<Pick<OpenverseRecord, "thumbnailFails" | "trouble">> & {
  readonly tags?: string;
  /** Shows the same as that variant of the photograph elsewhere. */
  readonly variant?: number;
};
type Row = readonly [
  title: string,
  size: string,
  license: LicenseId,
  creator: string,
  source?: Source,
  options?: Options,
];

const ROWS: Readonly<Record<Photograph, readonly Row[]>> = {
  airplane: [
    ["Airplane from above, RFC album", "1600x1067", "by-2.0", "Tom Reyes", "flickr", { variant: 1 }],
    ["Airplane from above over trenches", "1800x1200", "cc0", "", "smithsonian"],
    [
      "Biplane, an airplane seen from above",
      "1500x1000",
      "by-sa-2.0",
      "Wings & Strings",
      "flickr",
      { thumbnailFails: 424 },
    ],
    ["Airplane above farmland", "1400x980", "pdm", "Imperial Air Archive", "smithsonian"],
    ["Airplane from above (square print)", "1300x1300", "by-2.0", "Tom Reyes"],
    ["Airplane from above, noncommercial", "1600x1067", "by-nc-2.0", "Closed Shop"],
    ["Airplane from above without a name", "1600x1067", "by-2.0", ""],
  ],
  flower: [
    ["Flower of Allium oreophilum", "1400x1776", "cc0", "Karl Blossfeldt", "met"],
    ["Flower head in studio light", "1600x1200", "by-2.0", "Petal Pusher"],
    ["Gray flower, black stem", "1300x1300", "by-sa-2.0", "Petal Pusher"],
    ["Flower form, 1928", "1500x1000", "pdm", "", "met"],
    ["Flower, a garden onion opening", "1800x1200", "by-4.0", "Green Thumb"],
    ["Flower print, watermarked preview", "1200x1500", "cc0", "", "rawpixel"],
  ],
  canyon: [
    ["Black Canyon of the Colorado", "1800x1318", "cc0", "Timothy H. O'Sullivan", "met"],
    ["Canyon with expedition boat", "1600x1067", "by-2.0", "Desert Rat"],
    ["Canyon river at noon", "1500x1000", "by-sa-2.0", "Desert Rat"],
    ["Canyon, albumen print", "1440x1080", "pdm", "", "smithsonian"],
    ["Deep canyon and calm water", "1920x1280", "by-4.0", "Mesa Walker"],
    ["Canyon that no longer loads", "1600x1067", "by-2.0", "Lost Links", "flickr", { trouble: "dead" }],
  ],
  house: [
    ["Dust bowl home", "1600x1231", "pdm", "Dorothea Lange", "smithsonian"],
    [
      "Jiefangbei monument, Chongqing",
      "2400x1600",
      "by-2.0",
      "Li Wei",
      "flickr",
      { tags: "chongqing jiefangbei 重庆 解放碑" },
    ],
    ["Jiefangbei monument square", "1800x1200", "by-sa-3.0", "Cy", "flickr", { tags: "jiefangbei square chongqing" }],
    ["福建 福州 土楼", "1500x1000", "by-sa-2.0", "阿明", "flickr", { tags: "fuzhou fujian tulou" }],
    ["Monument Valley cabin", "1500x1000", "by-sa-4.0", "", "flickr", { tags: "monument valley" }],
  ],
  alps: [
    ["French alpine landscape, albumen", "2000x945", "cc0", "Adolphe Braun", "met"],
    ["French alpine landscape in October", "1600x1067", "by-2.0", "Sentier"],
    ["Alpine landscape, French side", "1500x1000", "by-sa-2.0", "Sentier"],
    ["French alpine landscape with dark forest", "1800x1200", "pdm", "", "met"],
    ["Alpine landscape near Chamonix, French Alps", "1440x1080", "by-4.0", "C. Lambert"],
    ["French alpine landscape, page for a picture", "1600x1067", "by-2.0", "Hot Link", "flickr", { trouble: "html" }],
  ],
  cat: [
    ["Cat walking, motion study", "1600x1067", "by-2.0", "Whisker Works"],
    ["House cat, collotype", "1800x1200", "cc0", "Eadweard Muybridge", "smithsonian"],
    ["Cat in twenty-four pictures", "1500x1000", "pdm", "", "met"],
    ["Galloping cat", "1440x960", "by-sa-2.0", "Whisker Works", "flickr", { thumbnailFails: 415 }],
    ["Cat studies, square cut", "1300x1300", "by-4.0", "Motion Lab"],
    ["Cat on a grid, no derivatives", "1600x1067", "by-nd-4.0", "Strict Sam"],
    ["Ford Puma, the car", "1500x1000", "by-2.0", "Car Spotter", "flickr", { tags: "puma car cat eyes" }],
  ],
  sheep: [
    ["Sheep, a March pastoral", "1800x1200", "cc0", "Peter Henry Emerson", "met"],
    ["Lambs in a spring meadow", "1500x1000", "by-2.0", "Fen Walker"],
  ],
  boats: [
    ["Boats in Nagasaki", "1600x1280", "cc0", "Felice Beato", "met", { variant: 1 }],
    ["Boats in Nagasaki, seen from the bridge", "1800x1200", "by-2.0", "Dejima Days"],
    ["Nagasaki boats at low tide", "1500x1000", "by-sa-2.0", "Dejima Days"],
    ["Old boats, Nagasaki", "1440x1080", "pdm", "", "smithsonian"],
    ["Boats and hills, Nagasaki", "1300x1733", "by-4.0", "Kyushu Kai"],
    ["Nagasaki boats, noncommercial", "1600x1067", "by-nc-2.0", "Closed Shop"],
  ],
};

/** Files of Commons that Openverse lists too, under the same address. */
const FROM_COMMONS = [
  "Airplane from above, 1918.jpg",
  "Flower buds of Allium oreophilum.jpg",
  "Canyon walls at the river bend.jpg",
  "French alpine landscape at dusk.jpg",
  "House cat in motion study.jpg",
  "Boats at the Nagasaki waterfront.jpg",
  "Chongqing Jiefangbei monument at night.jpg",
  "Airplane recognition manual from above.pdf",
];

const own = (Object.keys(ROWS) as Photograph[]).flatMap((photograph) =>
  ROWS[photograph].map((row, index) => recordOf(photograph, index, row)),
);

export const OPENVERSE: readonly OpenverseRecord[] = [...own, ...FROM_COMMONS.map(fromCommons)];

function recordOf(photograph: Photograph, index: number, row: Row): OpenverseRecord {
  const [title, size, license, creator, source = "flickr", { tags, variant, ...options } = {}] = row;
  return {
    id: uuidOf(title),
    title,
    tags: tags === undefined ? tagsOf(photograph) : tags.split(" "),
    picture: pictureOf(photograph, variant ?? index + 2, size),
    license,
    creator,
    source,
    ...addressesOf(source, title, creator, license),
    filetype: "jpg",
    ...options,
  };
}

function addressesOf(
  source: Source,
  title: string,
  creator: string,
  license: LicenseId,
): { url: string; landingUrl: string } {
  const number = 5_000_000_000 + Number.parseInt(uuidOf(title).slice(0, 7), 16);
  switch (source) {
    case "flickr": {
      const owner = slugOf(creator) || "anonymous";
      const secret = uuidOf(`${title} ${license}`).slice(0, 10).replace("-", "");
      return {
        url: `https://live.staticflickr.com/65535/${number}_${secret}_o.jpg`,
        landingUrl: `https://www.flickr.com/photos/${encodeURIComponent(owner)}/${number}`,
      };
    }
    case "met":
      return {
        url: `https://images.metmuseum.org/CRDImages/ph/original/DP${number % 1_000_000}.jpg`,
        landingUrl: `https://www.metmuseum.org/art/collection/search/${number % 1_000_000}`,
      };
    case "smithsonian":
      return {
        url: `https://ids.si.edu/ids/deliveryService/NMAH-${number % 1_000_000}.jpg`,
        landingUrl: `https://collections.si.edu/search/detail/NMAH-${number % 1_000_000}`,
      };
    case "rawpixel":
      return {
        url: `https://images.rawpixel.com/editor_1024/pd-${number % 1_000_000}.jpg`,
        landingUrl: `https://www.rawpixel.com/image/${number % 1_000_000}`,
      };
  }
}

function fromCommons(file: string): OpenverseRecord {
  const record = WIKIMEDIA.find(({ title }) => title === file);
  if (record === undefined) throw new Error(`Commons has no ${file}`);
  const filetype = file.slice(file.lastIndexOf(".") + 1);
  return {
    id: uuidOf(file),
    title: file.slice(0, -filetype.length - 1),
    tags: record.tags,
    picture: record.picture,
    license: record.license,
    creator: record.artistHtml
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/&#?\w+;/g, " ")
      .trim(),
    source: "wikimedia",
    url: commonsFileUrl(file),
    landingUrl: commonsPageUrl(file),
    filetype,
  };
}

/** Stable and of the right form, though no version of UUID. */
function uuidOf(text: string): string {
  const hex = createHash("sha1").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
