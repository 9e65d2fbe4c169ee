import type { Photograph } from "./picture.ts";

/** What an engine knows of the subject of a photograph. */
export interface Knowledge {
  readonly title: string;
  /** Engines have subjects that they can name and not describe. */
  readonly description: string | null;
}

const KNOWLEDGE: Readonly<Partial<Record<Photograph, Knowledge>>> = {
  flower: {
    title: "Allium oreophilum",
    description: "The pink lily leek is a bulb of the onion family that grows on stony slopes in Central Asia.",
  },
  canyon: {
    title: "Black Canyon",
    description: "Timothy H. O'Sullivan photographed the canyon of the Colorado River for the Wheeler survey in 1871.",
  },
  cat: {
    title: "Animal Locomotion",
    description: "Eadweard Muybridge published this study of the gait of a cat, taken with a row of cameras, in 1887.",
  },
  boats: { title: "Nagasaki", description: null },
};

/** Undefined for the subjects that no engine knows. */
export function knowledgeOf(photograph: Photograph): Knowledge | undefined {
  return KNOWLEDGE[photograph];
}
