import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The program named by CHROMIUM, or else one on the path; undefined where this machine has none. */
export function chromiumPath(): string | undefined {
  const named = process.env["CHROMIUM"];
  if (named !== undefined && named !== "") return existsSync(named) ? named : undefined;
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin"];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));
}
