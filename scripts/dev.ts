/** `npm run dev [-- --allow-lan]`: wrangler dev against the real upstreams, with what it needs to make links. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { startEgressGateway } from "../local/egress-gateway.ts";

const port = process.env["PORT"] ?? "8787";
const searxng = process.env["SEARXNG_URL"];
const gateway = await startEgressGateway({
  allowLan: process.argv.includes("--allow-lan"),
  ...(searxng === undefined ? {} : { operatorUrl: searxng }),
});
const variables: Record<string, string> = {
  EGRESS_PROXY: gateway.url,
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  LOCAL_TENANT: "local",
  // Made anew at each start: links of one run end with it, and nothing of worth stands on a command line.
  SIGNING_SECRET: randomBytes(32).toString("hex"),
  ...(searxng === undefined ? {} : { SEARXNG_URL: searxng }),
};
const flags = Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
const child = spawn("wrangler", ["dev", "--ip", "127.0.0.1", "--port", port, ...flags], { stdio: "inherit" });
child.on("exit", async (code) => {
  await gateway.close();
  process.exit(code ?? 1);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
