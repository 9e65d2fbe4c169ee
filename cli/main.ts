import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommanderError } from "commander";
import { ROOT } from "../local/folders.ts";
import { EXIT } from "./failure.ts";
import { makeProgram } from "./program.ts";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

// `sluice … | head` has read enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

try {
  await makeProgram(version).parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Help and the version are no errors; everything else that cannot be parsed is wrong usage.
  process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
}
