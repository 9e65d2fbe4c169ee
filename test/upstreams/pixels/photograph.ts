import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Photograph, PHOTOGRAPHS } from "../catalogue/picture.ts";

const require = createRequire(import.meta.url);
const read = new Map<Photograph, Buffer>();

/** The JPEG of a photograph as its package ships it. */
export function photographBytes(photograph: Photograph): Buffer {
  let bytes = read.get(photograph);
  if (bytes === undefined) {
    const folder = dirname(require.resolve(`${PHOTOGRAPHS[photograph].package}/package.json`));
    bytes = readFileSync(join(folder, "data", "image.jpg"));
    read.set(photograph, bytes);
  }
  return bytes;
}
