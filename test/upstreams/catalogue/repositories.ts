import { type Photograph, tagsOf } from "./picture.ts";

/** A repository as a code host lists it. */
export interface RepositoryRecord {
  readonly title: string;
  readonly tags: readonly string[];
  readonly description: string | null;
  readonly stars: number;
  readonly language: string | null;
}

type Row = readonly [fullName: string, description: string | null, stars: number, language: string | null];

const ROWS: Readonly<Record<Photograph, readonly Row[]>> = {
  airplane: [
    ["open-hangar/airplane-tracker", "Positions of every airplane above you, from a ten-euro receiver", 8_412, "Rust"],
    ["open-hangar/aerial-stitch", "Stitches aerial pictures taken from an airplane", 733, "Python"],
    ["papercraft-lab/biplane", "An airplane to print and fold", 41, null],
  ],
  flower: [
    ["herbarium-tools/flower-id", "Names a flower from a photograph", 5_120, "Python"],
    ["herbarium-tools/bloom-calendar", "When each flower blooms, as a calendar feed", 310, "TypeScript"],
  ],
  canyon: [["terrain-kit/canyon", "Procedural canyon terrain", 1_204, "C++"]],
  house: [["dustbowl-archive/house-survey", null, 12, null]],
  alps: [
    ["terrain-kit/alpine-snow", "Snow cover for alpine landscape models, with French resort data", 268, "Julia"],
    ["hikers-map/alps-huts", "Huts of the French alps as open data", 95, null],
  ],
  cat: [
    ["feline-labs/cat", "A cat that walks over your terminal", 15_870, "Go"],
    ["feline-labs/cat-gait", "Gait analysis for cat and dog from video", 642, "Python"],
    ["tiny-tools/cat-rs", "cat, but it is faster", 2_301, "Rust"],
    ["pet-door/cat-flap", null, 88, "C"],
  ],
  sheep: [["farm-logic/sheep-counter", "Counts sheep in drone footage", 57, "Python"]],
  boats: [["harbor-data/nagasaki-boats", "Positions of boats in Nagasaki harbor", 23, "JavaScript"]],
};

/** Those with most stars first. */
export const REPOSITORIES: readonly RepositoryRecord[] = (Object.keys(ROWS) as Photograph[])
  .flatMap((photograph) =>
    ROWS[photograph].map(([title, description, stars, language]) => ({
      title,
      tags: [...tagsOf(photograph), ...(description ?? "").split(" ")],
      description,
      stars,
      language,
    })),
  )
  .toSorted((one, other) => other.stars - one.stars);
