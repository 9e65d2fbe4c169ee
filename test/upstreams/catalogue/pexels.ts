import { type Photograph, type Picture, pictureOf, slugOf, tagsOf, type Trouble } from "./picture.ts";

/** A photo of Pexels; its title is the `alt` text. */
export interface PexelsRecord {
  readonly id: number;
  readonly title: string;
  readonly tags: readonly string[];
  readonly picture: Picture;
  readonly photographer: string;
  readonly pageUrl: string;
  /** Without parameters. */
  readonly fileUrl: string;
  readonly trouble?: Trouble;
}

type Row = readonly [
  title: string,
  size: string,
  photographer: string,
  options?: { readonly tags?: string; readonly trouble?: Trouble },
];

const ROWS: Readonly<Record<Photograph, readonly Row[]>> = {
  airplane: [
    ["Airplane from above over patchwork fields", "2000x1400", "Nora Lindqvist"],
    ["Vintage airplane seen from above", "1800x1200", "Marek Dvorak"],
    ["Airplane above white clouds", "1600x1067", "Nora Lindqvist"],
    ["Top view of an airplane from above", "1500x2000", "Ayo Bello"],
    ["Airplane from above casting no shadow", "1920x1280", "Ayo Bello"],
    ["Biplane airplane above the front line", "1700x1133", "Sofia Marin"],
    ["Airplane wings from above", "1300x1300", "Sofia Marin"],
  ],
  flower: [
    ["Gray flower on a white background", "1400x1776", "Hana Sato"],
    ["Flower buds opening", "1600x1200", "Hana Sato"],
    ["Allium flower close up", "1500x1000", "Lucas Brandt"],
    ["Single flower with stem", "1300x1950", "Lucas Brandt"],
    ["Flower in studio light", "1800x1200", "Elif Kaya"],
    ["Flower like a goblet", "1920x1280", "Elif Kaya"],
  ],
  canyon: [
    ["Canyon above a still river", "1800x1318", "Dale Whitmore"],
    ["Boat resting in a canyon", "1600x1067", "Dale Whitmore"],
    ["Rocky canyon in sepia", "1500x1000", "Ines Duarte"],
    ["Canyon walls and water", "1920x1280", "Ines Duarte"],
    ["Tall canyon cliffs", "1300x1733", "Yuki Mori"],
    ["Quiet canyon morning", "2000x1333", "Yuki Mori"],
  ],
  house: [
    ["Wooden house on dry plains", "1600x1231", "Cole Harper"],
    ["Abandoned home under wide sky", "1500x1000", "Cole Harper"],
    ["Chongqing Jiefangbei old street", "1600x1067", "Chen Rui", { tags: "chongqing jiefangbei 重庆 解放碑 monument" }],
    ["重庆 解放碑 街景", "1500x1000", "Chen Rui", { tags: "chongqing jiefangbei street" }],
  ],
  alps: [
    ["French alpine landscape with snowy peaks", "2000x945", "Camille Roux"],
    ["French alpine landscape and dark firs", "1800x1200", "Camille Roux"],
    ["Alpine landscape, French mountains", "1600x1067", "Jonas Weber"],
    ["Landscape of a French alpine valley", "1500x1000", "Jonas Weber"],
    ["French alpine landscape, portrait view", "1300x1733", "Mia Keller"],
    ["French alpine landscape under clouds", "1920x1280", "Mia Keller"],
    ["French alpine landscape in full resolution", "6000x4000", "Camille Roux"],
  ],
  cat: [
    ["Cat walking across a grid", "1800x1200", "Petra Novak"],
    ["Running cat frame by frame", "1600x1067", "Petra Novak"],
    ["House cat in motion", "1500x1000", "Omar Haddad"],
    ["Cat sequence in black and white", "1920x1280", "Omar Haddad"],
    ["Square collage of a cat", "1400x1400", "Lena Fischer"],
    ["Cat studies on old paper", "2000x1333", "Lena Fischer"],
    ["Cat picture that answers with a page", "1600x1067", "Lena Fischer", { trouble: "html" }],
    ["Puma logo on a shoe box", "1500x1000", "Brand Bea", { tags: "puma brand logo big cat" }],
  ],
  sheep: [
    ["Sheep grazing in March", "1800x1200", "Owen Price"],
    ["Lamb next to its mother", "1500x1000", "Owen Price"],
  ],
  boats: [
    ["Boats in Nagasaki harbor", "1700x1360", "Kenji Arai"],
    ["Old boats in Nagasaki", "1600x1067", "Kenji Arai"],
    ["Wooden boats, Nagasaki riverside", "1500x1000", "Emi Tanabe"],
    ["Nagasaki boats and tiled roofs", "1800x1200", "Emi Tanabe"],
    ["Sailing boats near Nagasaki", "1300x1733", "Ren Okada"],
    ["Boats in Nagasaki, sepia print", "1920x1280", "Ren Okada"],
    ["长崎 船 老照片", "1500x1200", "Emi Tanabe", { tags: "nagasaki boats japan" }],
  ],
};

export const PEXELS: readonly PexelsRecord[] = (Object.keys(ROWS) as Photograph[]).flatMap((photograph, group) =>
  ROWS[photograph].map(([title, size, photographer, options], index) => {
    const id = 1_200_000 + group * 10_007 + index * 131;
    return {
      id,
      title,
      tags: options?.tags === undefined ? tagsOf(photograph) : options.tags.split(" "),
      picture: pictureOf(photograph, index + 4, size),
      photographer,
      pageUrl: `https://www.pexels.com/photo/${encodeURIComponent(slugOf(title))}-${id}/`,
      fileUrl: `https://images.pexels.com/photos/${id}/pexels-photo-${id}.jpeg`,
      trouble: options?.trouble,
    };
  }),
);
