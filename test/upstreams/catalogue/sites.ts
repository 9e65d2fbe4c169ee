import { type Photograph, type Picture, pictureOf, slugOf, tagsOf, type Trouble } from "./picture.ts";

/** A picture on a plain web site: engines list it, nobody says under which license. */
export interface SiteImage {
  readonly title: string;
  readonly tags: readonly string[];
  readonly picture: Picture;
  readonly imageUrl: string;
  readonly pageUrl: string;
  /** The site in words. */
  readonly source: string;
  readonly trouble?: Trouble;
}

type Row = readonly [
  title: string,
  size: string,
  site: keyof typeof SITES,
  options?: { readonly tags?: string; readonly trouble?: Trouble; readonly extension?: "png" | "webp" },
];

const SITES = {
  travel: { name: "Travel Photos", host: "cdn.travelphotos.example", page: "www.travelphotos.example" },
  airshow: { name: "Airshow Weekly", host: "static.airshow.example", page: "airshow.example" },
  garden: { name: "Garden Almanac", host: "img.gardenalmanac.example", page: "www.gardenalmanac.example" },
  history: { name: "History in Pictures", host: "media.historypictures.example", page: "historypictures.example" },
  animals: { name: "Animal Motion", host: "images.animalmotion.example", page: "animalmotion.example" },
  news: { name: "Daily Lens", host: "assets.dailylens.example", page: "www.dailylens.example" },
} as const;

const ROWS: Readonly<Record<Photograph, readonly Row[]>> = {
  airplane: [
    ["Airplane from above: ten views", "1200x840", "airshow"],
    ["A biplane photographed from above", "1400x933", "airshow"],
    ["What an airplane looks like from above", "1280x853", "news", { extension: "png" }],
    ["Airplane over the front, from above, 1918", "1300x910", "history"],
    ["Roundels: airplane wings from above", "1100x733", "airshow", { extension: "webp" }],
    ["From above: airplane and clouds", "1024x717", "travel"],
    ["Airplane from above, wallpaper", "1600x900", "travel"],
    ["The airplane that flew above the trenches", "1200x800", "history"],
    ["Airplane from above, page gone", "1200x800", "news", { trouble: "dead" }],
  ],
  flower: [
    ["Flower of the month: Allium oreophilum", "1000x1268", "garden"],
    ["The flower that looks like a lantern", "1200x800", "garden"],
    ["Flower photography before color", "1280x960", "history"],
    ["How a flower opens", "1100x1100", "garden", { extension: "webp" }],
    ["Flower in black and white", "1200x1500", "news"],
    ["Ornamental onion flower guide", "1400x933", "garden"],
    ["A flower enlarged twelve times", "1024x1298", "history"],
    ["Flower studies for designers", "1300x867", "news", { extension: "png" }],
  ],
  canyon: [
    ["Black Canyon, then and now", "1200x878", "travel"],
    ["Canyon by boat: the 1871 expedition", "1400x933", "history"],
    ["The quiet canyon", "1280x853", "travel"],
    ["Ten canyon views worth the walk", "1300x867", "travel", { extension: "webp" }],
    ["Canyon geology explained", "1100x805", "news"],
    ["A canyon in wet collodion", "1024x750", "history"],
    ["Rowing into the canyon", "1200x800", "travel"],
    ["Canyon light", "1500x1000", "news"],
  ],
  house: [
    ["The house the dust left behind", "1200x923", "history"],
    ["Prairie home, 1938", "1300x867", "history"],
    ["Jiefangbei, Chongqing: a walk", "1400x933", "travel", { tags: "chongqing jiefangbei monument 重庆 解放碑" }],
    ["重庆 解放碑 旅游攻略", "1200x800", "travel", { tags: "chongqing jiefangbei travel" }],
  ],
  alps: [
    ["French alpine landscape by early photographers", "1600x756", "history"],
    ["A French alpine landscape in winter light", "1400x933", "travel"],
    ["Alpine landscape: the French side", "1280x853", "travel"],
    ["French alpine landscape for your wall", "1500x1000", "news", { extension: "png" }],
    ["Hiking a French alpine landscape", "1200x800", "travel"],
    ["The alpine landscape the French call home", "1300x867", "travel"],
    ["French alpine landscape, 1870", "1024x484", "history"],
    ["Landscape lessons: French alpine light", "1100x733", "news", { extension: "webp" }],
  ],
  cat: [
    ["How a cat walks", "1200x800", "animals"],
    ["The cat that Muybridge filmed", "1400x933", "history"],
    ["Cat gaits in 24 frames", "1280x853", "animals"],
    ["A cat never looks down", "1300x867", "animals", { extension: "png" }],
    ["Cat locomotion, the classic plate", "1024x510", "history"],
    ["Why every cat lands on its feet", "1100x733", "news"],
    ["Trotting cat, slow and fast", "1500x1000", "animals", { extension: "webp" }],
    ["Cat, grid and shutter", "1200x1200", "history"],
    ["Puma: the car that is no cat", "1200x800", "news", { tags: "puma car ford cat" }],
  ],
  sheep: [
    ["A March pastoral, revisited", "1200x800", "history"],
    ["Lambing season", "1300x867", "animals"],
  ],
  boats: [
    ["Boats in Nagasaki around 1865", "1250x1000", "history"],
    ["Nagasaki and its boats", "1400x933", "travel"],
    ["The wooden boats of Nagasaki", "1280x853", "travel"],
    ["Boats, roofs and hills: Nagasaki", "1300x867", "news", { extension: "png" }],
    ["Nagasaki by water: boats to see", "1200x800", "travel"],
    ["Felice Beato's Nagasaki boats", "1024x819", "history"],
    ["Boats moored in Nagasaki", "1100x880", "history", { extension: "webp" }],
    ["Where the boats of Nagasaki were built", "1500x1000", "news"],
    ["长崎 船 旧影", "1250x1000", "history", { tags: "nagasaki boats japan" }],
  ],
};

export const SITE_IMAGES: readonly SiteImage[] = (Object.keys(ROWS) as Photograph[]).flatMap((photograph) =>
  ROWS[photograph].map(([title, size, site, options], index) => {
    const { name, host, page } = SITES[site];
    const slug = slugOf(title);
    return {
      title,
      tags: options?.tags === undefined ? tagsOf(photograph) : options.tags.split(" "),
      picture: pictureOf(photograph, index + 1, size),
      imageUrl: `https://${host}/media/${encodeURIComponent(slug)}.${options?.extension ?? "jpg"}`,
      pageUrl: `https://${page}/${encodeURIComponent(slug)}`,
      source: name,
      trouble: options?.trouble,
    };
  }),
);
