import { join } from "node:path";
import { rolldown } from "rolldown";
import { CLI_FOLDER, replaceFolder, ROOT } from "./folders.ts";

/** What is resolved when the program runs: they bring binaries of their own. */
const EXTERNAL = ["miniflare", "rolldown", "node"];

/** Bundles the command line into files that plain Node runs; what only a Worker of one's own needs is apart. */
export async function buildCli(): Promise<void> {
  await replaceFolder(CLI_FOLDER, async (folder) => {
    const bundle = await rolldown({
      input: join(ROOT, "cli", "main.ts"),
      platform: "node",
      external: EXTERNAL,
      // Of the builders that stand beside `bootWorker`, nothing is used here.
      treeshake: { moduleSideEffects: (_id, isExternal) => !isExternal },
    });
    await bundle.write({ dir: folder, entryFileNames: "sluice.js", chunkFileNames: "[name].js", format: "esm" });
    await bundle.close();
  });
}
