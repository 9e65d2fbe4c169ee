import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { putObject } from "../../src/storage/objects.ts";
import { signLink } from "../../src/storage/signed-link.ts";
import { apiKeys } from "./api-keys.ts";
import { Project } from "./candidate-project.ts";
import { Gateway } from "./gateway.ts";

const project = new Project();
const { gateway } = project;

/** A link to bytes that a bucket holds, whoever has put them there. */
async function linkTo(bytes: string, contentType: string): Promise<string> {
  const { sha256 } = await putObject(
    env.BUCKET,
    "local",
    new TextEncoder().encode(bytes) as Uint8Array<ArrayBuffer>,
    contentType,
  );
  const resource = `tenants/local/objects/${sha256}`;
  const expires = Math.floor(Date.now() / 1000) + 60;
  const grant = { tenant: "local", resource, actions: ["read" as const], expires };
  return `/s/${await signLink(grant, gateway.variables["SIGNING_SECRET"]!)}/x.jpg`;
}

describe("every answer", () => {
  const asked: readonly [string, () => Promise<Response>][] = [
    ["JSON", () => gateway.fetch("/v1/providers")],
    ["a page", () => gateway.fetch("/")],
    ["the viewer of the API", () => gateway.fetch("/docs")],
    ["the description", () => gateway.fetch("/openapi.json")],
    ["health", () => gateway.fetch("/healthz")],
    ["a problem's page", () => gateway.fetch("/problems/no-match")],
    ["a stream", () => gateway.post("/chat/stream", { message: "cat", search: "never" })],
    ["MCP", () => gateway.post("/mcp", { jsonrpc: "2.0", id: 1, method: "ping" })],
    [
      "a file",
      () =>
        project
          .fromUrl("https://odd.example/progressive.jpg", { min_width: 1, min_height: 1 }, "a.jpg")
          .then(() => gateway.fetch(`${project.path}/files/images/a.jpg`)),
    ],
    ["a manifest", () => gateway.fetch(`${project.path}/files/image_sources.json`)],
    ["an archive", () => gateway.fetch(`${project.path}/archive.zip`)],
    ["a link's object", async () => gateway.fetch(await linkTo("x", "image/png"))],
    ["400", () => gateway.post("/search", {})],
    ["401", () => new Gateway({ LOCAL_TENANT: "" }).fetch("/v1/providers")],
    ["404", () => gateway.fetch("/nothing")],
    ["405", () => gateway.fetch("/search")],
    ["413", () => gateway.post("/search", "x".repeat(70_000))],
    ["415", () => gateway.fetch("/search", { method: "POST", body: "x" })],
    ["503 of a wrong setting", () => new Gateway({ API_KEYS: "{" }).fetch("/")],
  ];

  it.each(asked)("%s is not sniffed, not framed, and runs no foreign script", async (_, ask) => {
    const response = await ask();
    await response.arrayBuffer();
    const { headers } = response;
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{7,}/);
    expect(headers.get("cross-origin-resource-policy")).toMatch(/^(?:same|cross)-origin$/);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'/);
    expect(headers.get("content-security-policy")).not.toMatch(/script-src[^;]*(?:unsafe|\*|http)/);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("what is stored", () => {
  it.each([
    ["image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"],
    ["text/html", "<script>alert(1)</script>"],
    ["application/xhtml+xml", "<html xmlns='http://www.w3.org/1999/xhtml'><script>alert(1)</script></html>"],
    ["application/pdf", "%PDF-1.4"],
  ])("as %s is a download in a sandbox, whoever put it there", async (contentType, bytes) => {
    const response = await gateway.fetch(await linkTo(bytes, contentType));
    expect([response.status, await response.text()]).toEqual([200, bytes]);
    expect(response.headers.get("content-disposition")).toBe("attachment");
    expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("as a picture is shown", async () => {
    const response = await gateway.fetch(await linkTo("x", "image/jpeg"));
    await response.body?.cancel();
    expect(response.headers.get("content-disposition")).toBeNull();
  });

  it.each([
    ["an SVG", "<svg xmlns='http://www.w3.org/2000/svg' width='2000' height='2000'><script>alert(1)</script></svg>"],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["a PDF", "%PDF-1.7\n1 0 obj<<>>endobj"],
  ])("is never %s: an upload is what its bytes are, not what it says", async (_, body) => {
    const query = "source_page_url=https%3A%2F%2Fexample.org%2F&min_width=1&min_height=1";
    const headers = { "content-type": "image/png" };
    expect((await project.put("upload.png", `upload?${query}`, { body, headers })).status).toBe(422);
  });
});

describe("pages of other origins", () => {
  const APP = "https://app.example";
  const preflight = (origin: string, path = "/v1/web-search", variables: Record<string, string> = {}) =>
    new Gateway(variables).fetch(path, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
    });

  it("are refused unless the deployment names them", async () => {
    const closed = await preflight(APP);
    expect([closed.status, closed.headers.get("access-control-allow-origin")]).toEqual([405, null]);
    const answer = await gateway.fetch("/openapi.json", { headers: { origin: APP } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("that it names may ask with a key and read the answer, errors too; no other may", async () => {
    const API_KEYS = await apiKeys({ key: "page-key", tenant: "acme" });
    const variables = { LOCAL_TENANT: "", API_KEYS, CORS_ORIGINS: `${APP}, https://other.example:8443` };
    const open = await preflight(APP, "/v1/web-search", variables);
    expect([open.status, open.headers.get("access-control-allow-origin")]).toEqual([204, APP]);
    expect(open.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(open.headers.get("access-control-allow-headers")).toContain("authorization");
    expect(open.headers.get("access-control-allow-credentials")).toBeNull();
    const named = new Gateway(variables);
    const headers = { origin: APP, authorization: "Bearer page-key" };
    const found = await named.post("/v1/web-search", { query: "cat" }, headers);
    expect([found.status, found.headers.get("access-control-allow-origin")]).toEqual([200, APP]);
    expect(found.headers.get("access-control-expose-headers")).toContain("retry-after");
    expect(found.headers.get("vary")).toMatch(/\bOrigin\b/i);
    const failed = await named.post("/v1/web-search", {}, headers);
    expect([failed.status, failed.headers.get("access-control-allow-origin")]).toEqual([400, APP]);
    const stream = await named.post("/chat/stream", { message: "cat", search: "never" }, headers);
    await stream.body?.cancel();
    expect(stream.headers.get("access-control-allow-origin")).toBe(APP);
    for (const origin of ["https://app.example.evil.example", "http://app.example", "https://APP.example", "null"]) {
      expect(
        (await preflight(origin, "/v1/web-search", variables)).headers.get("access-control-allow-origin"),
      ).toBeNull();
      const answer = await named.fetch("/openapi.json", { headers: { origin } });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(answer.headers.get("vary")).toMatch(/\bOrigin\b/i);
    }
  });

  it.each([
    "*",
    "null",
    "https://app.example/",
    "app.example",
    "https://app.example/path",
    "https://*.example",
    "https://App.example",
  ])("cannot be named as %s", async (CORS_ORIGINS) => {
    const answer = await new Gateway({ CORS_ORIGINS }).fetch("/v1/providers");
    const problem = await answer.json<{ code: string; detail: string }>();
    expect([answer.status, problem.code]).toEqual([503, "misconfigured"]);
    expect(problem.detail).toContain("CORS_ORIGINS");
  });
});

describe("a deployment that needs no key", () => {
  const list = (address: string, headers: Record<string, string> = {}) =>
    new Gateway().fetch(`${address}/v1/projects`, { headers });

  it.each(["https://sluice.test", "http://127.0.0.1:8787", "http://[::1]:8787", "http://localhost:8787"])(
    "is there at %s",
    async (address) => {
      expect((await list(address)).status).toBe(200);
      expect((await list(address, { origin: address })).status).toBe(200);
    },
  );

  it("is not there under a name that somebody else made to lead to it", async () => {
    for (const address of [
      "http://rebound.example:8787",
      "http://127.0.0.1.rebound.example",
      "http://localhost.example",
    ]) {
      const refused = await list(address, { origin: address });
      expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([403, "forbidden"]);
      expect((await list(address)).status).toBe(403);
    }
  });

  it("takes nothing from pages of other origins, also where a browser asks nobody first", async () => {
    const crossSite = { origin: "https://evil.example", "content-type": "text/plain" };
    for (const path of ["/v1/projects/p/archive-link", "/v1/projects/p/batches/b_1/deliveries/d/resend"]) {
      const refused = await new Gateway().fetch(path, { method: "POST", headers: crossSite });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });
});
