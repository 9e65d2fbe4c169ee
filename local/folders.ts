import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Of the package: the sources stand one folder below it, the bundled command line two. */
export const ROOT = packageRoot(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, "dist");
/** The Worker's bundle, as a deployment has it. */
export const WORKER_FOLDER = join(DIST, "worker");
/** The command line; `sluice.js` starts it. */
export const CLI_FOLDER = join(DIST, "cli");
/** What is served as files. */
export const ASSETS_FOLDER = join(DIST, "assets");

/** Fills a folder anew: who looks at it meanwhile sees the old one or the new one, and two builds do not mix. */
export async function replaceFolder(folder: string, fill: (made: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}.`);
  try {
    await fill(made);
    await swap(made, folder);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

const MOST_SWAPS = 20;

/** Another build may put its own in place at the same moment: then that one is moved away in turn. */
async function swap(made: string, folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const old = `${made}.old`;
    await rename(folder, old).catch(ignore("ENOENT"));
    try {
      await rename(made, folder);
      return;
    } catch (error) {
      if (tries >= MOST_SWAPS) throw error;
      ignore("ENOTEMPTY", "EEXIST")(error);
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}

function ignore(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof Error && "code" in error && codes.includes(String(error.code)))) throw error;
  };
}

function packageRoot(folder: string): string {
  if (existsSync(join(folder, "wrangler.toml"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("The package of Sluice was not found.");
  return packageRoot(parent);
}
