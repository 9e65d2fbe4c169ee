import type { Context } from "hono";
import type { SimulatorEnv } from "./simulator-env.ts";

/** The caller's key, wherever this upstream wants it; empty where there is none. */
export function keyOf(c: Context<SimulatorEnv>): string {
  return (
    c.req.query("api_key") ??
    c.req.query("key") ??
    c.req.header("x-api-key") ??
    c.req.header("x-goog-api-key") ??
    c.req.header("x-subscription-token") ??
    c.req.header("authorization") ??
    ""
  );
}
