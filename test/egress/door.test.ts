import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Door } from "../../src/egress/door.ts";
import { EgressError } from "../../src/egress/egress-error.ts";
import { startUpstreams } from "../upstreams/server.ts";

type Upstreams = Awaited<ReturnType<typeof startUpstreams>>;

let upstreams: Upstreams;
let scope = "";
let scopes = 0;

beforeAll(async () => {
  upstreams = await startUpstreams({ port: 0 });
});
afterAll(() => upstreams.close());
beforeEach(() => {
  scope = `${upstreams.url}/__scope/door-${++scopes}`;
});

const PICTURE = "https://odd.example/progressive.jpg";

function door(): Door {
  const settings = { proxy: scope, allowHttp: false, userAgent: "Sluice/0.1 (ops@sluice.example)" };
  return new Door(settings, { now: () => performance.now() });
}

function options(more: Partial<Parameters<Door["download"]>[1]> = {}) {
  return { timeLimitMs: 2_000, maxBytes: 1_000_000, signal: new AbortController().signal, ...more };
}

async function fault(body: unknown): Promise<void> {
  await fetch(`${scope}/__faults/images`, { method: "PUT", body: JSON.stringify(body) });
}

async function requests(): Promise<{ host: string; headers: Record<string, string>; aborted?: true }[]> {
  return ((await (await fetch(`${scope}/__requests`)).json()) as { requests: [] }).requests;
}

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(EgressError);
  return (error as EgressError).reason;
}

describe("a download", () => {
  it("brings the bytes, and says who is asking", async () => {
    const { bytes, status } = await door().download(PICTURE, options());
    expect(status).toBe(200);
    expect([bytes[0], bytes[1]]).toEqual([0xff, 0xd8]);
    const [request] = await requests();
    expect(request?.headers["user-agent"]).toBe("Sluice/0.1 (ops@sluice.example)");
    expect(request?.headers["accept"]).not.toContain("avif");
  });

  it("follows a redirect to another public host", async () => {
    await fault({ redirect: PICTURE, times: 1 });
    const { finalUrl } = await door().download("https://odd.example/first.jpg", options());
    expect(finalUrl).toBe(PICTURE);
  });

  it.each([
    "https://127.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://[::ffff:10.0.0.1]/",
    "https://2130706433/",
    "https://router.local/",
    "http://example.com/",
    "https://example.com:8080/",
    "https://user:pass@example.com/",
    "file:///etc/passwd",
  ])("refuses a redirect to %s", async (target) => {
    await fault({ redirect: target });
    expect(await reasonOf(door().download("https://odd.example/first.jpg", options()))).toBe("refused");
    expect(await requests()).toHaveLength(1);
  });

  it("gives up on redirects that never end", async () => {
    await fault({ redirect: "https://odd.example/again.jpg" });
    expect(await reasonOf(door().download("https://odd.example/first.jpg", options()))).toBe("redirects");
  });

  it("stops at the cap, whether the length is announced or not", async () => {
    expect(await reasonOf(door().download(PICTURE, options({ maxBytes: 1_000 })))).toBe("too-large");
    expect(await reasonOf(door().download("https://odd.example/endless.jpg", options({ maxBytes: 100_000 })))).toBe(
      "too-large",
    );
  });

  it("does not take a body that was cut for a whole one", async () => {
    await fault({ truncate: 5_000 });
    expect(await reasonOf(door().download(PICTURE, options()))).toBe("network");
  });

  it("counts its time limit over the whole transfer", async () => {
    await fault({ slowBody: { bytesPerSecond: 500 } });
    expect(await reasonOf(door().download(PICTURE, options({ timeLimitMs: 200 })))).toBe("timeout");
    await fault({ hang: true });
    expect(await reasonOf(door().download(PICTURE, options({ timeLimitMs: 100 })))).toBe("timeout");
  });

  it("ends upstream when its caller leaves", async () => {
    await fault({ hang: true });
    const caller = new AbortController();
    const download = reasonOf(door().download(PICTURE, options({ signal: caller.signal })));
    await until(async () => (await requests()).length === 1);
    caller.abort();
    expect(await download).toBe("timeout");
    await until(async () => (await requests())[0]?.aborted === true);
  });
});

describe("an API call", () => {
  it("does not follow redirects, and keeps its key at home", async () => {
    await fetch(`${scope}/__faults/serper`, { method: "PUT", body: JSON.stringify({ redirect: PICTURE }) });
    const request = {
      url: "https://google.serper.dev/search",
      method: "POST" as const,
      headers: { "x-api-key": "k" },
      body: "{}",
    };
    expect((await door().send(request, options())).status).toBe(302);
    expect((await requests()).map((each) => each.host)).toEqual(["google.serper.dev"]);
  });

  it("names neither the URL nor the key when the connection fails", async () => {
    const dead = new Door({ proxy: "http://127.0.0.1:9", allowHttp: false, userAgent: "x" }, { now: () => 0 });
    const error: unknown = await dead
      .send({ url: "https://api.example.com/?key=secret-key" }, options())
      .catch((thrown: unknown) => thrown);
    expect((error as EgressError).reason).toBe("network");
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error)).split('"stack"')[0]).not.toContain("secret-key");
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
