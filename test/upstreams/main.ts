import { startUpstreams } from "./server.ts";

const upstreams = await startUpstreams({ port: Number(process.env["UPSTREAMS_PORT"] ?? 8788) });
console.log(`The upstream simulator listens at ${upstreams.url}`);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void upstreams.close());
