import { createMiddleware } from "hono/factory";
import type { SimulatorEnv } from "./simulator-env.ts";
import { targetOf, upstreamOf } from "./target.ts";

/** Names the upstream that is asked and writes the request into its scope's log. */
export const record = createMiddleware<SimulatorEnv>(async (c, next) => {
  const target = targetOf(c.req.path);
  const upstream = upstreamOf(target);
  c.set("upstream", upstream);
  const open = c.get("scope").log.start({
    upstream,
    ...target,
    query: c.req.query(),
    method: c.req.method,
    headers: c.req.header(),
    body: await c.req.text(),
  });
  const { outgoing } = c.env;
  outgoing.once("close", () => open.ended(outgoing.writableFinished || c.get("cutByUs")));
  await next();
  // A client that left while the headers hung was answered nothing.
  if (outgoing.headersSent) open.answered(outgoing.statusCode);
  else if (!outgoing.destroyed) open.answered(c.res.status);
});
