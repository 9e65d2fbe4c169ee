import { describe, expect, it } from "vitest";
import type { Step } from "../../src/cascade/cascade.ts";
import type { Health } from "../../src/cascade/health.ts";
import { failed, type FailureClass, type Outcome } from "../../src/cascade/outcome.ts";
import { engineHealth, rotated } from "../../src/web/engines.ts";

const hit: Outcome<string> = { kind: "hit", results: ["x"] };

describe("health of engines", () => {
  function watched(suspended: string) {
    const reports: string[] = [];
    const health: Health = {
      suspension: (step) => (step === suspended ? { reason: "used up", until: 1 } : undefined),
      report: (step) => reports.push(step),
    };
    return { reports, health: engineHealth(health) };
  }

  it("skips every engine of an account that is suspended, and only the one engine that is", () => {
    const account = watched("serpapi").health;
    expect(account.suspension("serpapi:bing")?.reason).toBe("used up");
    expect(account.suspension("serpapi#2:bing")).toBeUndefined();
    const engine = watched("serpapi:google_reverse_image").health;
    expect(engine.suspension("serpapi:google_reverse_image")?.reason).toBe("used up");
    expect(engine.suspension("serpapi:google_lens")).toBeUndefined();
    expect(engine.suspension("serpapi")).toBeUndefined();
  });

  it.each<[FailureClass, string]>([
    ["auth", "serpapi"],
    ["quota", "serpapi"],
    ["rate", "serpapi"],
    ["blocked", "serpapi"],
    ["transient", "serpapi:bing"],
    ["timeout", "serpapi:bing"],
    ["malformed", "serpapi:bing"],
    ["bad-request", "serpapi:bing"],
  ])("counts %s against %s", (failure, step) => {
    const { health, reports } = watched("");
    health.report("serpapi:bing", failed(failure, "x"), 1);
    expect(reports).toEqual([step]);
  });
});

describe("the try after a suspension, with an engine", () => {
  const TAKEN = { reason: "another request is trying it", until: 1 };

  function halfOpen(taken: readonly string[] = []) {
    const log: string[] = [];
    const health: Health = {
      suspension: () => undefined,
      report: (step, outcome) => log.push(`report ${step} ${outcome.kind}`),
      claim: async (step) => (log.push(`claim ${step}`), taken.includes(step) ? TAKEN : undefined),
      release: (step) => log.push(`release ${step}`),
    };
    return { log, health: engineHealth(health) };
  }

  it("is asked for at the account and at the engine, and given back when only one is to be had", async () => {
    const both = halfOpen();
    expect(await both.health.claim?.("serpapi:bing", 1)).toBeUndefined();
    expect(both.log).toEqual(["claim serpapi", "claim serpapi:bing"]);
    const account = halfOpen(["serpapi"]);
    expect(await account.health.claim?.("serpapi:bing", 1)).toBe(TAKEN);
    expect(account.log).toEqual(["claim serpapi"]);
    const engine = halfOpen(["serpapi:bing"]);
    expect(await engine.health.claim?.("serpapi:bing", 1)).toBe(TAKEN);
    expect(engine.log).toEqual(["claim serpapi", "claim serpapi:bing", "release serpapi"]);
  });

  it.each<[string, Outcome<string>, string[]]>([
    ["a hit proves both well", hit, ["report serpapi:bing hit", "report serpapi hit"]],
    ["a refusal is the account's", failed("quota", "x"), ["report serpapi failed", "release serpapi:bing"]],
    [
      "a broken engine says nothing of the account",
      failed("transient", "x"),
      ["report serpapi:bing failed", "release serpapi"],
    ],
  ])("%s", (_, outcome, expected) => {
    const { health, log } = halfOpen();
    health.report("serpapi:bing", outcome, 1);
    expect(log).toEqual(expected);
  });
});

describe("rotation of keys", () => {
  async function calls(outcome: Outcome<string> | "hang"): Promise<string[]> {
    const called: string[] = [];
    const step = (name: string, answer: Outcome<string> | "hang"): Step<string> => ({
      name,
      timeLimitMs: 1_000,
      run: () => {
        called.push(name);
        return answer === "hang" ? new Promise(() => {}) : Promise.resolve(answer);
      },
    });
    const [first, second] = rotated([step("a", outcome), step("a#2", hit)]) as [Step<string>, Step<string>];
    const { signal } = new AbortController();
    await Promise.race([first.run(signal), Promise.resolve()]);
    await second.run(signal);
    return called;
  }

  it.each<FailureClass>(["auth", "quota", "rate", "blocked"])("asks the next key after %s", async (failure) => {
    expect(await calls(failed(failure, "x"))).toEqual(["a", "a#2"]);
  });

  it("asks no further key after an answer, or while the first still hangs", async () => {
    expect(await calls({ kind: "empty" })).toEqual(["a"]);
    expect(await calls(failed("transient", "x"))).toEqual(["a"]);
    expect(await calls("hang")).toEqual(["a"]);
  });

  it("asks the second key when the first was passed over", async () => {
    const [, second] = rotated<string>([
      { name: "a", timeLimitMs: 1, run: () => Promise.resolve(hit) },
      { name: "a#2", timeLimitMs: 1, run: () => Promise.resolve(hit) },
    ]);
    expect(await second?.run(new AbortController().signal)).toEqual(hit);
  });
});
