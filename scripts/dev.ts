/** `npm run dev`: wrangler dev against the real upstreams, with what it needs to make links. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";

const port = process.env["PORT"] ?? "8787";
const variables = {
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  LOCAL_TENANT: "local",
  // Links made by one run end with it, unless .dev.vars names a secret of its own.
  SIGNING_SECRET: process.env["SIGNING_SECRET"] ?? randomBytes(32).toString("hex"),
};
const child = spawn(
  "wrangler",
  ["dev", "--ip", "127.0.0.1", "--port", port, ...Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}:${value}`])],
  { stdio: "inherit" },
);
child.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
