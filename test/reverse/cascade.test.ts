import { describe, expect, it } from "vitest";
import { deadlineIn } from "../../src/cascade/deadline.ts";
import { ALWAYS_WELL } from "../../src/cascade/health.ts";
import { readConfig } from "../../src/config.ts";
import { Door } from "../../src/egress/door.ts";
import { EgressError } from "../../src/egress/egress-error.ts";
import type { UpstreamReply, UpstreamRequest } from "../../src/egress/wire.ts";
import { imageAt } from "../../src/reverse/hosted-image.ts";
import { reverseCascade } from "../../src/reverse/search.ts";
import { FAULT_CASES } from "../upstreams/fault-cases.ts";

const clock = { now: () => 0 };
const ENGINES = ["google_lens", "google_reverse_image", "yandex_images", "bing_reverse_image"] as const;
const ROWS = FAULT_CASES["serpapi"]!;
const NOTHING = ROWS.find(({ id }) => id === "no-results")!;

const link = "https://a.example/page";
const match = { title: "A cat", link, source: "a.example", thumbnail: "https://a.example/t.jpg" };
const FOUND = {
  search_metadata: { status: "Success" },
  visual_matches: [match],
  image_results: [match],
  pages_with_this_image: [match],
};

type Answer = "hit" | "hang" | "cut" | { readonly status: number; readonly body: string };

/** SerpAPI, as each of its engines answers. */
class SerpApi extends Door {
  readonly #answers: Readonly<Record<string, Answer>>;

  constructor(answers: Readonly<Record<string, Answer>>) {
    super({ allowHttp: false, userAgent: "test" }, clock);
    this.#answers = answers;
  }

  override send({ url }: UpstreamRequest): Promise<UpstreamReply> {
    const answer = this.#answers[new URL(url).searchParams.get("engine")!]!;
    if (answer === "hang") return Promise.reject(new EgressError("timeout", "no complete answer"));
    if (answer === "cut") return Promise.reject(new EgressError("network", "the answer broke off"));
    const { status, body } = answer === "hit" ? { status: 200, body: JSON.stringify(FOUND) } : answer;
    return Promise.resolve({ status, headers: new Headers(), body, receivedAt: 0 });
  }
}

async function cascade(answerOf: (place: number) => Answer) {
  const answers = Object.fromEntries(ENGINES.map((engine, place) => [engine, answerOf(place)]));
  const config = readConfig({ SERPAPI_API_KEY: "k" });
  const context = {
    config,
    door: new SerpApi(answers),
    clock,
    deadline: deadlineIn(60_000, clock),
    health: ALWAYS_WELL,
  };
  const { findings, attempts } = await reverseCascade({ image: imageAt("https://a.example/cat.jpg") }, context);
  return { engine: findings[0]?.engine, record: attempts.map((each) => each.class ?? each.outcome) };
}

const FAILURES: readonly (readonly [string, string, Answer])[] = [
  ...ROWS.map((row) => [row.id, row.expected, row] as const),
  ["hanging", "timeout", "hang"],
  ["breaking off", "transient", "cut"],
];

describe("the reverse image cascade", () => {
  it.each(
    ENGINES.slice(0, -1).flatMap((engine, place) =>
      FAILURES.map(([id, wanted, answer]) => ({ engine, place, id, wanted, answer })),
    ),
  )("asks the next engine after $engine with $id", async ({ place, wanted, answer }) => {
    const { engine, record } = await cascade((at) => (at < place ? NOTHING : at === place ? answer : "hit"));
    expect(engine).toBe(ENGINES[place + 1]);
    expect(record).toEqual([...Array<string>(place).fill("empty"), wanted, "hit"]);
  });

  it.each(FAILURES)("finds nothing when every engine answers %s, and records each as %s", async (_, wanted, answer) => {
    const { engine, record } = await cascade(() => answer);
    expect(engine).toBeUndefined();
    expect(record).toEqual(ENGINES.map(() => wanted));
  });
});
