import { Hono } from "hono";
import type { SimulatorEnv } from "../simulator-env.ts";

/** A receiver of webhooks under a public-looking name. The request log keeps what came. */
export const webhooks = new Hono<SimulatorEnv>();

webhooks.post("/*", (c) => c.json({ received: true }));
