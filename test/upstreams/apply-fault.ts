import { setTimeout as wait } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { endlessBody, slowed } from "./body-faults.ts";
import { caseOfClass, type FaultCase, faultCases } from "./fault-cases.ts";
import type { Fault } from "./fault.ts";
import { pngBomb } from "./pixels/bomb.ts";
import { keyOf } from "./request-key.ts";
import type { SimulatorEnv } from "./simulator-env.ts";
import { targetOf } from "./target.ts";
import { geminiCallOf } from "./wire/gemini.ts";

/** Lets the upstream fail as the scope was told. */
export const applyFault = createMiddleware<SimulatorEnv>(async (c, next) => {
  const upstream = c.get("upstream");
  const url = new URL(c.req.url);
  const { host, path } = targetOf(c.req.path);
  const fault = c.get("scope").faults.take(idsFor(upstream, host, await c.req.text()), path + url.search);
  if (fault === undefined) return next();
  if (fault.latencyMs !== undefined) await wait(fault.latencyMs);
  if (fault.hang === true || fault.class === "timeout") {
    const { outgoing } = c.env;
    if (!outgoing.destroyed) await new Promise((resolve) => outgoing.once("close", resolve));
    return RESPONSE_ALREADY_SENT;
  }
  const answer = answerOf(fault, c);
  if (answer !== undefined) return answer;
  if (fault.class === "empty") c.set("findNothing", true);
  await next();
  if (fault.slowBody !== undefined) replace(c, slowed(c.res, fault.slowBody.bytesPerSecond));
  if (fault.truncate !== undefined) replace(c, await truncated(c, fault.truncate));
  return undefined;
});

/**
 * A picture's host stands before the hosts of pictures altogether, one of Gemini's calls before all of them; a host that
 * nobody knows can have a fault too.
 */
function idsFor(upstream: string, host: string, body: string): string[] {
  if (upstream === "gemini") return [geminiCallOf(body), upstream];
  if (upstream === "unknown") return [`images:${host}`];
  return upstream.startsWith("images:") ? [upstream, "images"] : [upstream];
}

function answerOf(fault: Fault, c: Context<SimulatorEnv>): Response | undefined {
  if (fault.html === true) {
    return c.html("<!DOCTYPE html><html><head><title>Please wait</title></head><body>One moment</body></html>\n");
  }
  if (fault.bomb === true) return c.body(pngBomb(), 200, { "content-type": "image/png" });
  if (fault.endless === true) {
    const type = c.get("upstream").startsWith("images:") ? "image/jpeg" : "application/json";
    return c.body(endlessBody(type), 200, { "content-type": type });
  }
  const status = fault.status ?? (fault.redirect === undefined ? undefined : 302);
  if (status !== undefined) {
    const body = [204, 205, 304].includes(status) ? null : (fault.body ?? "");
    const headers = new Headers(fault.headers);
    if (fault.redirect !== undefined) headers.set("location", fault.redirect);
    return new Response(body, { status, headers });
  }
  const wire = caseOf(fault, c);
  return wire === undefined ? undefined : new Response(wire.body, { status: wire.status, headers: wire.headers });
}

function caseOf(fault: Fault, c: Context<SimulatorEnv>): FaultCase | undefined {
  const upstream = c.get("upstream");
  const facts = { key: keyOf(c), nowSeconds: Math.floor(Date.now() / 1000) };
  if (fault.case !== undefined) {
    const found = faultCases(upstream, facts).find(({ id }) => id === fault.case);
    if (found === undefined) throw new Error(`${upstream} has no case ${fault.case}`);
    return found;
  }
  if (fault.class === undefined || fault.class === "timeout") return undefined;
  // A search that finds nothing looks different at each endpoint: the handlers know how.
  if (fault.class === "empty" && !upstream.startsWith("images:")) return undefined;
  return caseOfClass(upstream, fault.class, facts);
}

function replace(c: Context<SimulatorEnv>, response: Response): void {
  // Hono would merge the old headers into the new response.
  c.res = undefined;
  c.res = response;
}

/** Written past Hono, which would never send less than it promises. */
async function truncated(c: Context<SimulatorEnv>, bytes: number): Promise<Response> {
  const body = new Uint8Array(await c.res.arrayBuffer());
  const { outgoing } = c.env;
  outgoing.writeHead(c.res.status, { ...Object.fromEntries(c.res.headers), "content-length": body.byteLength });
  outgoing.flushHeaders();
  const { socket } = outgoing;
  c.set("cutByUs", true);
  outgoing.write(body.subarray(0, bytes), () => socket?.destroySoon());
  return RESPONSE_ALREADY_SENT;
}
