import { createHash } from "node:crypto";
import type { LicenseId } from "./licenses.ts";
import { type Photograph, type Picture, pictureOf, tagsOf, type Trouble } from "./picture.ts";

/** A file of Wikimedia Commons. */
export interface WikimediaRecord {
  readonly pageId: number;
  /** With spaces, without `File:`; its extension decides the format. */
  readonly title: string;
  readonly tags: readonly string[];
  readonly picture: Picture;
  readonly license: LicenseId;
  /** Wikitext rendered to HTML, as Commons gives it; empty where the page names nobody. */
  readonly artistHtml: string;
  readonly uploader: string;
  readonly trouble?: Trouble;
}

interface Options {
  readonly tags?: string;
  readonly trouble?: Trouble;
}

type Row = readonly [title: string, size: string, license: LicenseId, artistHtml: string, options?: Options];

const beato = '<a href="https://commons.wikimedia.org/wiki/Creator:Felice_Beato" title="Felice Beato">Felice Beato</a>';
const user = (name: string): string =>
  `<a href="//commons.wikimedia.org/wiki/User:${name.replaceAll(" ", "_")}" title="User:${name}">${name}</a>`;
const framed = (name: string): string =>
  `<div class="fn value">\n<bdi><span lang="en">${name}</span>&#160;<small>(1870&ndash;1932)</small></bdi></div>`;

const ROWS: Readonly<Record<Photograph, readonly Row[]>> = {
  airplane: [
    ["Airplane from above, 1918.jpg", "1800x1260", "pdm", framed("Royal Flying Corps")],
    ["British biplane seen from above over fields.jpg", "1600x1067", "cc0", ""],
    ["Airplane from above with roundels.jpg", "1500x1050", "by-sa-4.0", user("Ida Holm")],
    ["Airplane above the clouds, aerial view.jpg", "2000x1333", "by-4.0", user("J. Okafor")],
    ["Airplane from above, detail of the wing.png", "1400x980", "cc0", user("Aeroarchive")],
    ["Airplane from above, tall crop.jpg", "1300x1733", "by-sa-3.0", `${user("Ida Holm")} &amp; ${user("Tom Reyes")}`],
    ["Airplane over a village from above.jpg", "1920x1280", "pdm", ""],
    ["Airplane from above in wartime album.jpg", "1700x1190", "gfdl", user("Old Scans")],
    ["Airplane from above, nobody named.jpg", "1600x1067", "by-4.0", ""],
    ["Airplane recognition manual from above.pdf", "1240x1754", "pdm", framed("War Office")],
    ["Airplane silhouette from above.svg", "1024x717", "cc0", user("Vectorman")],
    ["Airplane from above, museum scan.tif", "2400x1680", "pdm", framed("Royal Flying Corps")],
  ],
  flower: [
    ["Allium oreophilum flower.jpg", "1400x1776", "pdm", framed("Karl Blossfeldt")],
    ["Flower of an ornamental onion, studio.jpg", "1300x1300", "cc0", ""],
    ["Flower buds of Allium oreophilum.jpg", "1600x1200", "by-sa-4.0", user("Botanica Ito")],
    ["Opening flower head, Allium.jpg", "1500x1000", "by-3.0", user("M. Castel")],
    ["Allium flower, enlarged twelve times.jpg", "1800x1200", "by-sa-3.0", framed("Karl Blossfeldt")],
    ["Flower study in gray.webp", "1500x1125", "cc0", user("Herbarium Nord")],
    ["Flower with long stem.jpg", "1350x1800", "pdm", ""],
    ["Tiny flower icon.jpg", "220x278", "cc0", ""],
  ],
  canyon: [
    ["Black Canyon, Colorado River, from Camp 8.jpg", "1800x1318", "pdm", framed("Timothy H. O'Sullivan")],
    ["Black Canyon looking above from the boat landing.jpg", "1600x1172", "pdm", framed("Timothy H. O'Sullivan")],
    ["Canyon of the Colorado with expedition boat.jpg", "2100x1400", "cc0", ""],
    ["Canyon walls at the river bend.jpg", "1500x1000", "by-sa-4.0", user("Mesa Walker")],
    ["Canyon and still water, 1871.jpg", "1440x1080", "by-2.0", user("West Archive")],
    ["River canyon with rocks in the foreground.jpg", "1920x1280", "by-sa-3.0", user("Mesa Walker")],
    ["Canyon cliffs, upright view.jpg", "1300x1625", "cc0", user("L. Ortega")],
    ["Canyon survey map.pdf", "1754x1240", "pdm", framed("U.S. Army")],
    ["Canyon panorama, very large.jpg", "4200x3080", "pdm", framed("Timothy H. O'Sullivan")],
  ],
  house: [
    ["Dust bowl home near Dalhart, Texas.jpg", "1600x1231", "pdm", framed("Dorothea Lange")],
    ["Abandoned house on the plains.jpg", "1500x1000", "cc0", ""],
    ["解放碑 老照片 重庆.jpg", "1600x1231", "by-sa-4.0", user("渝中老街"), { tags: "chongqing jiefangbei monument" }],
    ["Chongqing Jiefangbei monument at night.jpg", "2000x1400", "cc0", user("Ann"), { tags: "重庆 解放碑 chongqing" }],
    [
      "Jiefangbei metro station, Chongqing.jpg",
      "1600x1067",
      "by-sa-4.0",
      user("Subway Fan"),
      { tags: "重庆 解放碑 地铁 站 station monument" },
    ],
    ["福州 永泰 土楼.jpg", "1500x1154", "by-4.0", user("闽都行者"), { tags: "fuzhou fujian tulou earthen building" }],
    ["重庆 洪崖洞 夜景.jpg", "1500x1000", "by-nc-2.0", user("Night Walker"), { tags: "chongqing hongyadong" }],
    ["Chrome bumper on a wall in Rome, New York.jpg", "1400x933", "cc0", "", { tags: "chrome rome car" }],
  ],
  alps: [
    ["French alpine landscape with firs.jpg", "2000x945", "pdm", framed("Adolphe Braun")],
    ["French alpine landscape, Mont Blanc range.jpg", "1800x1200", "cc0", ""],
    ["Alpine landscape above the French village.jpg", "1500x1000", "by-sa-4.0", user("Alpiniste 74")],
    ["French alpine landscape at dusk.jpg", "1600x1067", "by-4.0", user("C. Lambert")],
    ["Landscape of the French Alps with snow.jpg", "1700x1133", "by-sa-3.0", user("Alpiniste 74")],
    ["Alpine forest and ridge, French Savoy landscape.jpg", "1920x1280", "pdm", framed("Adolphe Braun")],
    ["French alpine landscape, upright.jpg", "1200x1600", "cc0", user("C. Lambert")],
    ["Alpine landscape panorama, France.jpg", "4000x1890", "by-sa-4.0", user("Pano Pete")],
    ["French alpine landscape, no derivatives.jpg", "1600x1067", "by-nd-4.0", user("Strict Sam")],
  ],
  cat: [
    ["Animal locomotion, house cat, plate 717.jpg", "1800x1200", "pdm", framed("Eadweard Muybridge")],
    ["Walking cat in twenty-four frames.jpg", "1600x1067", "pdm", framed("Eadweard Muybridge")],
    ["Cat trotting, change to galloping.jpg", "2000x1333", "cc0", ""],
    ["House cat in motion study.jpg", "1500x1000", "by-sa-4.0", user("Motion Lab")],
    ["Cat sequence, contact print.jpg", "1440x960", "by-3.0", user("Old Scans")],
    ["Running cat, side view.png", "1400x933", "cc0", user("Motion Lab")],
    ["Square study of a cat.jpg", "1300x1300", "by-sa-3.0", framed("Eadweard Muybridge")],
    ["Cat, all rights reserved.jpg", "1600x1067", "reserved", user("Greedy Greg")],
    ["Cat with unknown license.jpg", "1600x1067", "unknown", user("Nobody Knows")],
    [
      "Puma parked in a street.jpg",
      "1600x1067",
      "by-sa-4.0",
      user("Car Spotter"),
      { tags: "puma car ford cat headlights" },
    ],
    ["Cat photograph that went away.jpg", "1600x1067", "cc0", user("Gone Fishing"), { trouble: "dead" }],
  ],
  sheep: [
    ["A March pastoral.jpg", "1800x1200", "pdm", framed("Peter Henry Emerson")],
    ["Sheep and lamb in March.jpg", "1500x1000", "by-sa-4.0", user("Fen Walker")],
    ["Ewe with lambs on the marsh.jpg", "1600x1067", "cc0", ""],
  ],
  boats: [
    ["Boats in Nagasaki, Felice Beato.jpg", "1700x1360", "pdm", beato],
    ["Nagasaki boats on the river, 1865.jpg", "1600x1280", "pdm", beato],
    ["Boats at the Nagasaki waterfront.jpg", "1500x1000", "by-sa-4.0", user("Kyushu Kai")],
    ["Sailing boats in Nagasaki harbor.jpg", "1800x1200", "cc0", ""],
    ["Boats and houses, old Nagasaki.jpg", "1440x1080", "by-4.0", user("Meiji Archive")],
    ["Fishing boats in Nagasaki bay.jpg", "1920x1280", "by-sa-3.0", `<b>${user("Kyushu Kai")}</b>, <i>retouched</i>`],
    ["Boats in Nagasaki, upright.jpg", "1300x1733", "pdm", beato],
    ["長崎 船 古写真.jpg", "1500x1200", "pdm", beato, { tags: "长崎 船 nagasaki boats" }],
    [
      "Nagasaki station square.jpg",
      "1600x1067",
      "by-sa-4.0",
      user("Rail Fan"),
      { tags: "nagasaki station boats 長崎駅" },
    ],
  ],
};

export const WIKIMEDIA: readonly WikimediaRecord[] = (Object.keys(ROWS) as Photograph[]).flatMap((photograph, group) =>
  ROWS[photograph].map(([title, size, license, artistHtml, options], index) => ({
    // Neither ascending nor descending in search order, as on Commons.
    pageId: 9_000_000 + (((group * 100 + index) * 7919) % 100_003),
    title,
    tags: options?.tags === undefined ? tagsOf(photograph) : options.tags.split(" "),
    picture: pictureOf(photograph, index, size),
    license,
    artistHtml,
    uploader: `Uploader ${index + 1}`,
    trouble: options?.trouble,
  })),
);

/** `a/ab/Name.jpg` with underscores, percent-encoded: files are spread by the MD5 of their name. */
export function commonsPath(title: string): string {
  const name = title.replaceAll(" ", "_");
  const hash = createHash("md5").update(name).digest("hex");
  return `${hash[0]}/${hash.slice(0, 2)}/${encodeURIComponent(name).replaceAll("%2C", ",")}`;
}

/** The original's address. */
export function commonsFileUrl(title: string): string {
  return `https://upload.wikimedia.org/wikipedia/commons/${commonsPath(title)}`;
}

export function commonsPageUrl(title: string): string {
  return `https://commons.wikimedia.org/wiki/File:${encodeURIComponent(title.replaceAll(" ", "_")).replaceAll("%2C", ",")}`;
}
