import { type Context, Hono } from "hono";
import type { z } from "zod";
import { faultCases } from "./fault-cases.ts";
import { faultSchema } from "./fault.ts";
import { limitsSchema } from "./limits.ts";
import type { SimulatorEnv } from "./simulator-env.ts";

type Read<T> = { readonly value: T } | { readonly problem: string };

/** What tests tell the simulator and ask of it; each under an optional `/__scope/<name>`. */
export const control = new Hono<SimulatorEnv>();

control.put("/__faults/:upstream", async (c) => {
  const fault = await bodyOf(c, faultSchema);
  if ("problem" in fault) return c.text(fault.problem, 400);
  const upstream = c.req.param("upstream");
  const known = faultCases(upstream, { key: "", nowSeconds: 0 }).map(({ id }) => id);
  if (fault.value.case !== undefined && !known.includes(fault.value.case)) {
    return c.text(`${upstream} has no case ${fault.value.case}, but: ${known.join(", ")}\n`, 400);
  }
  c.get("scope").faults.set(upstream, fault.value);
  return c.body(null, 204);
});

control.delete("/__faults/:upstream", (c) => {
  c.get("scope").faults.delete(c.req.param("upstream"));
  return c.body(null, 204);
});

control.delete("/__faults", (c) => {
  c.get("scope").faults.clear();
  return c.body(null, 204);
});

control.get("/__faults", (c) => c.json({ taken: c.get("scope").faults.taken }));

control.get("/__requests", (c) => c.json(c.get("scope").log.report()));

control.delete("/__requests", (c) => {
  c.get("scope").log.clear();
  return c.body(null, 204);
});

control.put("/__limits", async (c) => {
  const limits = await bodyOf(c, limitsSchema);
  if ("problem" in limits) return c.text(limits.problem, 400);
  c.get("scope").limits.set(limits.value);
  return c.body(null, 204);
});

async function bodyOf<T>(c: Context<SimulatorEnv>, schema: z.ZodType<T>): Promise<Read<T>> {
  let body: unknown;
  try {
    body = await c.req.json();
  } catch {
    return { problem: "the body is not JSON\n" };
  }
  const parsed = schema.safeParse(body);
  return parsed.success ? { value: parsed.data } : { problem: `${parsed.error.message}\n` };
}
