#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: what it starts needs 22.18, which the package `node` brings.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../dist/cli/sluice.js", import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (!existsSync(program)) {
  console.error("Sluice is not built yet: run `npm ci`, or `npm run prepare`.");
  process.exitCode = 1;
} else if (major > 22 || (major === 22 && minor >= 18)) {
  await import(new URL("../dist/cli/sluice.js", import.meta.url).href);
} else {
  startWithNewerNode();
}

function startWithNewerNode() {
  const manifest = createRequire(import.meta.url).resolve("node/package.json");
  const node = join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`Node 22 of the package \`node\` did not start: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exit(signal === null ? (code ?? 1) : 128 + (constants.signals[signal] ?? 0));
  });
}
