import { describe, expect, it } from "vitest";
import { resolveRedirects } from "../../src/answer/redirects.ts";
import { deadlineIn } from "../../src/cascade/deadline.ts";
import { Door } from "../../src/egress/door.ts";
import { EgressError } from "../../src/egress/egress-error.ts";
import type { UpstreamReply, UpstreamRequest } from "../../src/egress/wire.ts";
import type { AnswerSource } from "../../src/providers/types.ts";

const clock = { now: () => 0 };
const redirect = (token: string) => `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${token}`;
const source = (url: string, snippet = ""): AnswerSource => ({ title: "t", url, snippet });

/** A way out that knows where redirects lead. */
class Map302 extends Door {
  readonly asked: string[] = [];
  readonly #targets: Readonly<Record<string, string>>;
  open = 0;
  most = 0;

  constructor(targets: Readonly<Record<string, string>>) {
    super({ allowHttp: false, userAgent: "test" }, clock);
    this.#targets = targets;
  }

  override async send({ url }: UpstreamRequest): Promise<UpstreamReply> {
    this.asked.push(url);
    this.most = Math.max(this.most, ++this.open);
    await Promise.resolve();
    this.open -= 1;
    const location = this.#targets[url];
    if (location === undefined) throw new EgressError("timeout", "no complete answer");
    return { status: 302, headers: new Headers({ location }), body: "", receivedAt: 0 };
  }
}

function resolved(sources: readonly AnswerSource[], door: Door) {
  return resolveRedirects(sources, { door, clock, deadline: deadlineIn(5_000, clock) });
}

describe("grounding redirects", () => {
  it("become the pages behind them, and both are kept", async () => {
    const door = new Map302({ [redirect("a")]: "https://a.test/x" });
    expect(await resolved([source(redirect("a"), "s")], door)).toEqual([
      { title: "t", url: "https://a.test/x", snippet: "s", redirectUrl: redirect("a") },
    ]);
  });

  it("stay where they do not tell, or tell what is no web address", async () => {
    const door = new Map302({ [redirect("b")]: "javascript:alert(1)", [redirect("c")]: "" });
    const sources = ["a", "b", "c"].map((token) => source(redirect(token)));
    expect(await resolved(sources, door)).toEqual(sources);
  });

  it("alone are asked for: other addresses are what they are", async () => {
    const door = new Map302({});
    const sources = [
      source("https://a.test/"),
      source("http://vertexaisearch.cloud.google.com/grounding-api-redirect/x"),
      source("https://vertexaisearch.cloud.google.com.evil.test/grounding-api-redirect/x"),
    ];
    expect(await resolved(sources, door)).toEqual(sources);
    expect(door.asked).toEqual([]);
  });

  it("to one page become one source with what both say, in order", async () => {
    const door = new Map302({ [redirect("a")]: "https://a.test/", [redirect("b")]: "https://a.test/" });
    const sources = [source(redirect("a"), "one"), source("https://b.test/"), source(redirect("b"), "two")];
    const found = await resolved(sources, door);
    expect(found.map(({ url, snippet }) => [url, snippet])).toEqual([
      ["https://a.test/", "one two"],
      ["https://b.test/", ""],
    ]);
  });

  it("are asked for together, but never more than a Worker may", async () => {
    const tokens = Array.from({ length: 12 }, (_, index) => redirect(String(index)));
    const door = new Map302(Object.fromEntries(tokens.map((url, index) => [url, `https://s${index}.test/`])));
    expect(
      await resolved(
        tokens.map((url) => source(url)),
        door,
      ),
    ).toHaveLength(12);
    expect(door.most).toBe(5);
  });
});
