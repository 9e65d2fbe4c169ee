import { describe, expect, it } from "vitest";
import type { ApiKey } from "../../src/config.ts";
import { dailyBudgetOf } from "../../src/limits/limit-book.ts";

const key = (tenant: string, upstream_per_day?: number): ApiKey => ({
  sha256: "0".repeat(64),
  tenant,
  scopes: ["batches"],
  limits: upstream_per_day === undefined ? {} : { upstream_per_day },
});

describe("the daily budget of a tenant's batches", () => {
  it("is that of its most generous key", () => {
    expect(dailyBudgetOf([key("a", 10), key("a", 30), key("b", 99)], "a")).toBe(30);
  });

  it("is none when one of its keys has none, or when it has no key", () => {
    expect(dailyBudgetOf([key("a", 10), key("a")], "a")).toBeUndefined();
    expect(dailyBudgetOf([key("b", 10)], "a")).toBeUndefined();
  });
});
