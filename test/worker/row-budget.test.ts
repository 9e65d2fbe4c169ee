import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { withinBudget } from "../../durable-objects/row-budget.ts";
import { readConfig } from "../../src/config.ts";
import type { Door } from "../../src/egress/door.ts";
import { apiKeys } from "./api-keys.ts";
import { Gateway } from "./gateway.ts";

const CLOCK = { now: () => Date.UTC(2026, 5, 1, 12) };
const REQUEST = { url: "https://en.wikipedia.org/w/api.php?action=query&format=json" };

describe("the provider calls of a batch's rows", () => {
  it("count against the tenant's budget, from one row to the next", async () => {
    const gateway = new Gateway({
      API_KEYS: await apiKeys({ key: "k", tenant: "rows", limits: { upstream_per_day: 2 } }),
    });
    const config = readConfig(gateway.variables);
    const row = () => withinBudget(env, config, "rows", CLOCK, (door) => send(door));
    expect([await row(), await row(), await row()]).toEqual(["sent", "sent", "over-budget"]);
    expect((await gateway.calls()).requests).toHaveLength(2);
  });

  it("are not limited for a tenant without a budget, and need no limiter", async () => {
    const gateway = new Gateway({ API_KEYS: await apiKeys({ key: "k", tenant: "free" }) });
    const nowhere = { RATE_LIMITERS: {} as Env["RATE_LIMITERS"] };
    const row = () => withinBudget(nowhere, readConfig(gateway.variables), "free", CLOCK, (door) => send(door));
    expect([await row(), await row(), await row()]).toEqual(["sent", "sent", "sent"]);
  });
});

async function send(door: Door): Promise<string> {
  const options = { timeLimitMs: 5_000, maxBytes: 1_000_000, signal: AbortSignal.timeout(5_000) };
  return door.send(REQUEST, options).then(
    () => "sent",
    (error: { reason?: string }) => error.reason ?? "failed",
  );
}
