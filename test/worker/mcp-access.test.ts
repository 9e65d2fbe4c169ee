import { describe, expect, it } from "vitest";
import { LONGEST_DATA_URL } from "../../src/reverse/request.ts";
import { apiKeys, type TestKey } from "./api-keys.ts";
import { Project, row, until } from "./batch-project.ts";
import { Gateway } from "./gateway.ts";
import { libraryClient, plainClient, send } from "./mcp-clients.ts";

const CALL = { name: "web_search", arguments: { query: "cat" } };

let tenants = 0;

async function deployment(...keys: readonly Omit<TestKey, "key" | "tenant">[]) {
  const named = keys.map((key) => ({ key: `mcp-key-${++tenants}`, tenant: `mcp-${tenants}`, ...key }));
  const gateway = new Gateway({ LOCAL_TENANT: "", API_KEYS: await apiKeys(...named) });
  return { gateway, headers: named.map(({ key }) => ({ authorization: `Bearer ${key}` })), keys: named };
}

describe("a key", () => {
  it("is needed: 401 says how to send one", async () => {
    const { gateway } = await deployment({});
    const refused = await send(gateway, "tools/list");
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(await refused.json()).toMatchObject({ code: "unauthorized" });
    const wrong = await send(gateway, "tools/list", {}, { authorization: "Bearer wrong" });
    expect(wrong.status).toBe(401);
    await expect(libraryClient(gateway)).rejects.toThrow(/401|unauthorized/i);
  });

  it("opens the tools of its scopes; others are not listed, and refused in words", async () => {
    const { gateway, headers, keys } = await deployment({ scopes: ["search"] }, { scopes: ["images"] });
    const search = await libraryClient(gateway, "modern", keys[0]!.key);
    const names = (await search.list()).map(({ name }) => name);
    expect(names).toEqual(["web_search", "answer", "search_images", "reverse_image"]);
    const refused = await search.call("show_candidates", { project: "p", filename: "a.jpg", query: "cat" });
    expect(refused.isError).toBe(true);
    expect(refused.content[0]!.text).toMatch(/lacks the scope `images`.*Next: Tell the user/s);
    expect((await gateway.calls()).requests).toEqual([]);
    const images = plainClient(gateway, headers[1]);
    expect((await images.list()).map(({ name }) => name)).toEqual(["show_candidates", "promote_image"]);
  });

  it("reaches nothing of another tenant", async () => {
    const { gateway, headers } = await deployment({}, {});
    const [own, other] = headers.map((header) => plainClient(gateway, header));
    const image = { project: "deck", filename: "alps.jpg" };
    const shown = await own!.call("show_candidates", { ...image, query: "french alpine landscape" });
    expect(shown.isError).not.toBe(true);
    const taken = await other!.call("promote_image", { ...image, candidate: "candidate_01.jpg" });
    expect(taken.content[0]!.text).toContain("(no-pool)");

    const project = new Project();
    const batch = await project.run({ items: [row("x.jpg", "zzzz qqqq no such thing")] });
    const args = { project: project.name, batch: batch.id };
    expect((await plainClient(project.gateway).call("batch_status", args)).isError).not.toBe(true);
    const foreign = await own!.call("batch_status", args);
    expect(foreign.isError).toBe(true);
    expect(foreign.content[0]!.text).toContain("(not-found)");
  });

  it("has the same rate here as everywhere, and is told how it stands", async () => {
    const { gateway, headers } = await deployment({ limits: { per_minute: 20, burst: 2 } });
    const first = await send(gateway, "tools/list", {}, headers[0]);
    expect([first.status, first.headers.get("ratelimit")]).toEqual([200, expect.stringContaining("r=1")]);
    await send(gateway, "tools/list", {}, headers[0]);
    const refused = await send(gateway, "tools/call", CALL, headers[0]);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^[123]$/)]);
    expect(await refused.json()).toMatchObject({ code: "rate-limited" });
  });
});

describe("an Origin", () => {
  const statusFrom = async (origin: string, gateway = new Gateway()): Promise<number> =>
    (await send(gateway, "tools/list", {}, { origin })).status;

  it("that is not ours is refused before anything is asked", async () => {
    const gateway = new Gateway();
    const refused = await send(gateway, "tools/call", CALL, { origin: "https://evil.example" });
    expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([403, "forbidden"]);
    expect((await gateway.calls()).requests).toEqual([]);
    expect(await statusFrom("null")).toBe(403);
    expect(await statusFrom("http://sluice.test")).toBe(403);
  });

  it("of our own public address is let in", async () => {
    expect(await statusFrom("https://sluice.test")).toBe(200);
  });

  it("that merely equals the request's host is let in where a key is needed, and not where none is", async () => {
    const elsewhere = { PUBLIC_URL: "https://public.example" };
    expect(await statusFrom("https://sluice.test", new Gateway(elsewhere))).toBe(403);
    const { gateway, headers } = await deployment({});
    Object.assign(gateway.variables, elsewhere);
    const answer = await send(gateway, "tools/list", {}, { ...headers[0], origin: "https://sluice.test" });
    expect(answer.status).toBe(200);
  });
});

describe("POST /mcp", () => {
  const raw = (body: string, headers: Record<string, string> = {}) =>
    new Gateway().post("/mcp", body, { accept: "application/json, text/event-stream", ...headers });

  it.each(["GET", "DELETE", "PUT"])("is the only way in: %s is 405 with Allow", async (method) => {
    const refused = await new Gateway().fetch("/mcp", { method });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("refuses a body that is over its cap, and takes one that holds a picture", async () => {
    const long = await raw(JSON.stringify({ pad: "x".repeat(LONGEST_DATA_URL + 70_000) }));
    expect([long.status, (await long.json<{ code: string }>()).code]).toEqual([413, "body-too-large"]);
    const picture = `data:image/png;base64,${"A".repeat(200_000)}`;
    const answer = await plainClient(new Gateway()).call("reverse_image", { image_data_url: picture });
    expect(answer.content[0]!.text).toContain("image_data_url:");
  });

  it("answers what is no JSON-RPC with its errors", async () => {
    const code = async (response: Response) => (await response.json<{ error: { code: number } }>()).error.code;
    const broken = await raw("{");
    expect([broken.status, await code(broken)]).toEqual([400, -32700]);
    const nonsense = await raw(JSON.stringify({ hello: 1 }));
    expect([nonsense.status, await code(nonsense)]).toEqual([400, expect.any(Number)]);
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL };
    const batch = await raw(JSON.stringify([message, { ...message, id: 2 }]));
    expect([batch.status, await code(batch)]).toEqual([400, -32600]);
    const typed = await raw("{}", { "content-type": "text/plain" });
    expect(typed.status).toBe(415);
  });

  it("names the tools to whoever asks for one that does not exist", async () => {
    const response = await send(new Gateway(), "tools/call", { name: "web_serach", arguments: {} });
    const { error } = await response.json<{ error: { code: number; message: string } }>();
    expect(error.code).toBe(-32602);
    expect(error.message).toContain("web_search");
  });

  it("answers a method that it does not have with an error", async () => {
    const response = await send(new Gateway(), "resources/list");
    expect((await response.json<{ error: { code: number } }>()).error.code).toBe(-32601);
  });

  it("writes what a call did to the log, and to Server-Timing", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "serper" });
    const response = await send(gateway, "tools/call", CALL);
    expect(response.headers.get("server-timing")).toMatch(/^serper;dur=/);
    expect(JSON.parse(gateway.log.at(-1)!)).toMatchObject({ route: "/mcp", attempts: [{ provider: "serper" }] });
  });

  it("stops what is upstream when its client leaves, and asks nobody else", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "serper,brave" });
    for (const upstream of ["serper", "brave"]) await gateway.fault(upstream, { hang: true });
    const client = new AbortController();
    const left = gateway.fetch("/mcp", {
      method: "POST",
      signal: client.signal,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL }),
    });
    await until(async () => (await gateway.calls()).requests[0]);
    client.abort();
    await until(async () => (await gateway.calls()).requests[0]?.aborted || undefined);
    await left.catch(() => undefined);
    for (let turn = 0; turn < 5; turn++) await send(gateway, "tools/list");
    expect((await gateway.calls()).requests).toMatchObject([{ upstream: "serper", aborted: true }]);
  });
});
