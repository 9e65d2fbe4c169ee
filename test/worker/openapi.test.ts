import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../routes/app.ts";
import type { Document, Operation } from "../openapi/document.ts";
import { operationsOf } from "../openapi/document.ts";
import { apiKeys } from "./api-keys.ts";
import { Gateway } from "./gateway.ts";
import { Description } from "./openapi-check.ts";

/** Pages for people: HTML that promises nothing to programs. */
const PAGES = new Set(["/", "/chat", "/batch", "/projects/{project}/batches/{batch}", "/review/{token}"]);
const SCOPES = ["search", "images", "batches", "admin"] as const;
const WITHOUT_KEYS = { LOCAL_TENANT: "" };

let description: Description;
beforeAll(async () => {
  description = await Description.fetch();
});

describe("the description of the API", () => {
  it("has every route of the app that is not a page", () => {
    const described = new Set(operationsOf(description.document).map(({ method, path }) => `${method} ${path}`));
    const paths = new Set(Object.keys(description.document.paths));
    const missing = createApp({ now: () => 0 })
      .routes.map(({ method, path }) => ({ method, path: path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}") }))
      .filter(({ path }) => path !== "/*" && path !== "*" && !PAGES.has(path))
      .filter(({ method, path }) => (method === "ALL" ? !paths.has(path) : !described.has(`${method} ${path}`)));
    expect(missing).toEqual([]);
  });

  it("has nothing that a linter objects to", async () => {
    expect(await description.lint()).toEqual([]);
  });

  it("has an example of every JSON body, valid by its own schema", () => {
    expect(description.exampleFaults).toEqual([]);
  });

  it("needs no key, and is not sent again to whoever has it", async () => {
    const gateway = new Gateway(WITHOUT_KEYS);
    const first = await gateway.fetch("/openapi.json");
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
    const tag = first.headers.get("etag");
    expect(tag).toMatch(/^(?:W\/)?".+"$/);
    const again = await gateway.fetch("/openapi.json", { headers: { "if-none-match": tag! } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("names the deployment's own address, where it has one", async () => {
    const servers = async (PUBLIC_URL: string) =>
      (await (await new Gateway({ PUBLIC_URL }).fetch("/openapi.json")).json<Document>()).servers;
    expect(await servers("https://sluice.example")).toEqual([{ url: "https://sluice.example" }]);
    expect(await servers("")).toEqual([{ url: "/" }]);
  });

  it("says which scopes each operation needs", async () => {
    const everybody = SCOPES.map((scope) => ({ key: `only-${scope}`, tenant: "acme", scopes: [scope] }));
    const all = { key: "all-scopes", tenant: "acme", scopes: SCOPES };
    const gateway = new Gateway({ ...WITHOUT_KEYS, API_KEYS: await apiKeys(...everybody, all) });
    for (const { method, path, operation } of requestsOf(description.document)) {
      const ask = (key: string) => gateway.fetch(path, { method, headers: { authorization: `Bearer ${key}` } });
      const where = `${operation.operationId} with`;
      if (operation.security!.length === 0) continue;
      for (const scope of SCOPES) {
        const answer = await ask(`only-${scope}`);
        const mayPass = scopesOf(operation).some((scopes) => scopes.every((needed) => needed === scope));
        expect([where, scope, answer.status === 403]).toEqual([where, scope, !mayPass]);
        if (answer.status === 403) expect(await description.faultsOf(operation.operationId, answer)).toEqual([]);
      }
      expect([where, [401, 403].includes((await ask("all-scopes")).status)]).toEqual([where, false]);
      const refused = await ask("unknown");
      expect([where, refused.status]).toEqual([where, 401]);
      expect(await description.faultsOf(operation.operationId, refused)).toEqual([]);
    }
  });
});

describe("the page that shows it", () => {
  it("has scripts, styles and requests of its own origin only", async () => {
    const page = await new Gateway(WITHOUT_KEYS).fetch("/docs");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    const policy = page.headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    const addresses = [...(await page.text()).matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
    expect(addresses).toContain("/assets/docs.js");
    expect(addresses.filter((address) => !/^\/[^/]|^data:,$/.test(address))).toEqual([]);
  });
});

/** Every operation with an address that its parameters' examples, or any word, make. */
function requestsOf(document: Document): { method: string; path: string; operation: Operation }[] {
  return operationsOf({ ...document, webhooks: {} }).map(({ method, path, operation }) => ({
    method,
    path: path.replaceAll(/\{\w+\}/g, "nothing"),
    operation,
  }));
}

function scopesOf({ security = [] }: Operation): (readonly string[])[] {
  return security.flatMap((scheme) => (scheme["bearer"] === undefined ? [] : [scheme["bearer"]]));
}
