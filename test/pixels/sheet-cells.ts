import type { SheetCell } from "../../src/pixels/sheet.ts";
import { bytesOf, photograph } from "./pictures.ts";

const wikimedia = { provider: "wikimedia", tier: "attribution-required" };
const openverse = { provider: "openverse", tier: "no-attribution" };
const pexels = { provider: "pexels", tier: "no-attribution" };

/** Eight candidates of all sorts: wide, tall, transparent, turned by Exif, near matches, and one that cannot be read. */
export async function eightCells(): Promise<readonly SheetCell[]> {
  const disc = Buffer.from('<svg width="640" height="640"><circle cx="320" cy="320" r="300"/></svg>');
  const alps = photograph("french-alpine-landscape", 960, 454).jpeg();
  const flower = photograph("allium-oreophilum", 757, 960).jpeg();
  const canyon = photograph("black-canyon", 960, 640).jpeg();
  const cat = photograph("locomotion-house-cat", 640, 640)
    .composite([{ input: disc, blend: "dest-in" }])
    .png();
  const boats = photograph("nagasaki-boats", 960, 768).rotate(90).jpeg().withMetadata({ orientation: 8 });
  const house = photograph("dust-bowl-home", 960, 739).jpeg();
  const sheep = photograph("march-pastoral", 960, 300).webp();
  const unreadable = "the preview's host answered HTTP 404";
  return [
    { rank: 1, ...wikimedia, originalWidth: 4000, originalHeight: 1892, image: await bytesOf(alps) },
    {
      rank: 2,
      ...openverse,
      originalWidth: 2400,
      originalHeight: 3045,
      nearMatch: "Jiefangbei",
      image: await bytesOf(flower),
    },
    { rank: 3, ...pexels, originalWidth: 6000, originalHeight: 4000, image: await bytesOf(canyon) },
    { rank: 4, ...openverse, originalWidth: 1280, originalHeight: 853, image: { unreadable } },
    { rank: 5, ...wikimedia, originalWidth: 3000, originalHeight: 3000, image: await bytesOf(cat) },
    { rank: 6, ...openverse, originalWidth: 0, originalHeight: 0, nearMatch: "解放碑", image: await bytesOf(boats) },
    { rank: 7, ...pexels, originalWidth: 5184, originalHeight: 3991, image: await bytesOf(house) },
    {
      rank: 8,
      ...wikimedia,
      originalWidth: 12_000,
      originalHeight: 3750,
      nearMatch: "Chongqing Yangtze River Bridge at Chaotianmen",
      image: await bytesOf(sheep),
    },
  ];
}
