import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Row } from "../table.ts";

/** `bench/sheet`, which prints for people. */
export async function sheet(): Promise<Row[]> {
  const text = await output("sheet.ts", ["9"]);
  const [first, later, native] = ["first sheet", "later ones", "sharp in Node"].map((name) => figureOf(text, name));
  return [
    {
      what: "CPU of a review sheet of eight",
      figure: `${later} ms (${(later! / native!).toFixed(1)} times sharp's; an isolate's first ${first} ms)`,
      against: `${native} ms of sharp, native code`,
      target: "450 ms",
      holds: later! <= 450,
    },
  ];
}

/** `bench/batch` of thirty rows. */
export async function batch(): Promise<Row[]> {
  const text = await output("batch.ts", ["--rows", "30"]);
  const ratio = figureOf(text, "ratio");
  return [
    {
      what: "Batch of 30 rows in 3 slots, 200 ms per upstream call",
      figure: `${ratio.toFixed(2)} times the best schedule`,
      against: "the best 3-way schedule of its row times at concurrency 1",
      target: "1.30",
      holds: ratio <= 1.3,
    },
  ];
}

async function output(script: string, args: readonly string[]): Promise<string> {
  const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
  return (await promisify(execFile)(process.execPath, [path, ...args])).stdout;
}

/** The first number of the first line that begins so. */
function figureOf(text: string, name: string): number {
  const line = text.split("\n").find((each) => each.includes(name)) ?? "";
  const number = /(\d+(?:\.\d+)?)/.exec(line.slice(line.indexOf(name) + name.length))?.[1];
  if (number === undefined) throw new Error(`The bench did not print "${name}":\n${text}`);
  return Number(number);
}
