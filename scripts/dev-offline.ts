/** `npm run dev:offline`: the simulator, and the Worker behind it, with test keys and an open local tenant. */
import { resolve } from "node:path";
import { startUpstreams } from "../test/upstreams/server.ts";
import { bootWorker, buildWorker } from "../local/boot.ts";
import { offlineVariables } from "./offline.ts";
import { lockState } from "../local/state-lock.ts";

const port = portFrom("PORT", 8787);
const upstreamsPort = portFrom("UPSTREAMS_PORT", 8788);
const state = resolve(process.env["STATE"] ?? ".state");

const lock = await lockState(state);
await buildWorker();
const upstreams = await startUpstreams({ port: upstreamsPort });
const worker = await bootWorker({
  port,
  variables: offlineVariables(upstreams.url, `http://127.0.0.1:${port}`),
  state,
  verbose: true,
});
console.log(`Sluice ${worker.url} behind the simulator ${upstreams.url}, state in ${state}. Ctrl-C ends both.`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await worker.close();
    await upstreams.close();
    await lock.release();
    process.exit(0);
  });
}

function portFrom(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (!Number.isInteger(value) || value < 1 || value > 65_535) throw new Error(`${name} is not a port number.`);
  return value;
}
