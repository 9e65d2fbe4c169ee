import { beforeAll, describe, expect, it, vi } from "vitest";
import { createApp } from "../../routes/app.ts";
import { apiKeys } from "./api-keys.ts";
import { Gateway } from "./gateway.ts";

/** Whoever adds a route that needs no key says so here. Hooks are signed instead. */
const PUBLIC = [
  "GET /healthz",
  "GET /docs",
  "GET /openapi.json",
  "GET /problems/:code",
  "POST /v1/hooks/:tenant/:project",
  // A signed link says whose it is, and what it opens.
  "GET /s/:token/:name",
  "GET /archive/:token/:name",
  "GET /review/:token/state",
  "POST /review/:token/promote",
  "POST /review/:token/page",
  "PUT /review/:token/from-url",
];

const OURS = { key: "key-of-alpha", tenant: "alpha" };
const THEIRS = { key: "key-of-beta", tenant: "beta" };
const PROJECT = "deck-7";
const STORED = "stored.jpg";
const POOLED = "pooled.jpg";
const BATCHED = "batched.jpg";
/** Stands in everything that alpha writes, and in no request of beta. */
const MARK = "alpha-only-5d81";
const FILES = [
  `images/${STORED}`,
  ".review/stored.jpg",
  "candidates/pooled/candidates.json",
  "candidates/pooled/review_sheet.jpg",
  "candidates/pooled/review/candidate_01.jpg",
  "image_sources.json",
  "image_queries.json",
];

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Every route of the app, once. `ALL` are middleware, and what answers 405. */
const ROUTES: readonly Route[] = [
  ...new Map(
    createApp({ now: () => 0 })
      .routes.filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => [`${method} ${path}`, { method, path }]),
  ).values(),
];
/** Those that read come first: what one of the others removed could not be seen any more. */
const KEYED = ROUTES.filter(({ method, path }) => !PUBLIC.includes(`${method} ${path}`)).toSorted(
  (a, b) => rank(a.method) - rank(b.method),
);

function rank(method: string): number {
  return ["GET", "POST", "PUT", "PATCH", "DELETE"].indexOf(method);
}

/** The addresses of a route that mean something of alpha's; `batch` is the id of its batch. */
function addressesOf({ path }: Route, batch: string): string[] {
  const files = path.includes("/files/") ? FILES : [""];
  return [STORED, POOLED, BATCHED].flatMap((filename) =>
    files.map((file) =>
      path
        .replace(/:path(\{[^}]*\})?/, file)
        .replace(/:filename(\{[^}]*\})?/, filename)
        .replace(/:project(\{[^}]*\})?/, PROJECT)
        .replace(/:batch(\{[^}]*\})?/, batch)
        .replace(/:tenant(\{[^}]*\})?/, OURS.tenant)
        .replaceAll(/:\w+(\{[^}]*\})?/g, "1"),
    ),
  );
}

/** A body that the route takes, so that it gets as far as it can. */
function bodyOf({ method, path }: Route): string | undefined {
  if (method === "GET" || method === "DELETE") return undefined;
  if (path === "/search") return JSON.stringify({ search_type: "web", query: "cat" });
  if (path.endsWith("/images")) return JSON.stringify({ filename: "airplane.jpg", query: "airplane from above" });
  if (path.endsWith("/promote")) return JSON.stringify({ candidate: "candidate_01.jpg", identity_confirmed: true });
  if (path.endsWith("/from-url")) return JSON.stringify({ url: "https://nowhere.example/none.jpg" });
  return "{}";
}

describe("two tenants", () => {
  let gateway: Gateway;
  let batch: string;
  /** What alpha has, as alpha reads it. */
  let before: readonly Content[];

  const request = (route: Route, address: string, key: string | undefined) => {
    const body = bodyOf(route);
    return gateway.fetch(address, {
      method: route.method,
      headers: { "content-type": "application/json", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      ...(body === undefined ? {} : { body }),
    });
  };

  const read = async (file: string, key: string) =>
    contentOf(await gateway.fetch(`/v1/projects/${PROJECT}/files/${file}?key=${key}`));

  const allOfOurs = async () => {
    const contents = [];
    for (const file of FILES) contents.push(await read(file, OURS.key));
    contents.push(await contentOf(await gateway.fetch(`/v1/projects/${PROJECT}/batches/${batch}?key=${OURS.key}`)));
    return contents;
  };

  beforeAll(async () => {
    gateway = new Gateway({ LOCAL_TENANT: "", API_KEYS: await apiKeys(OURS, THEIRS) });
    const row = { query: "french alpine landscape", slide: MARK, purpose: MARK };
    const project = `/v1/projects/${PROJECT}`;
    await gateway.post(`${project}/images?key=${OURS.key}`, { ...row, filename: STORED });
    await gateway.post(`${project}/images?key=${OURS.key}`, { ...row, filename: POOLED, save_candidates: true });
    // A row that is for a person to settle never runs, so the batch stays as it is.
    const items = [{ ...row, filename: BATCHED, status: "Needs-Manual" }];
    batch = (await (await gateway.post(`${project}/batches?key=${OURS.key}`, { items })).json<{ id: string }>()).id;
    await vi.waitUntil(async () => {
      const view = await gateway.fetch(`${project}/batches/${batch}?key=${OURS.key}`);
      return (await view.json<{ state: string }>()).state === "idle";
    });
    before = await allOfOurs();
  });

  it("have something that the other must not see", () => {
    for (const file of ["image_sources.json", "candidates/pooled/candidates.json"]) {
      expect(before[FILES.indexOf(file)]?.body).toContain(MARK);
    }
    expect(before[FILES.indexOf(`images/${STORED}`)]?.status).toBe(200);
    expect(before.at(-1)?.body).toContain(MARK);
  });

  it("are asked for a key on every route but the public ones", async () => {
    expect(KEYED.length).toBeGreaterThan(8);
    for (const route of KEYED) {
      for (const key of [undefined, "key-of-nobody"]) {
        const response = await request(route, addressesOf(route, batch)[0]!, key);
        expect(`${route.method} ${route.path}: ${response.status}`).toBe(`${route.method} ${route.path}: 401`);
        await response.body?.cancel();
      }
    }
  });

  it("have public routes that need none", async () => {
    const registered = ROUTES.map(({ method, path }) => `${method} ${path}`);
    for (const known of PUBLIC) expect(registered).toContain(known);
    expect((await gateway.fetch("/healthz")).status).toBe(200);
    expect((await gateway.fetch("/problems/unauthorized")).status).toBe(200);
    for (const { method, path } of ROUTES.filter((route) => route.path.includes("/:token/"))) {
      const address = path.replace(":token", "token").replace(":name", "image.jpg");
      const answer = await gateway.fetch(`${address}?key=${THEIRS.key}`, { method });
      expect([address, answer.status, (await answer.json<{ code: string }>()).code]).toEqual([
        address,
        403,
        "link-invalid",
      ]);
    }
    const hook = await gateway.post(`/v1/hooks/${OURS.tenant}/${PROJECT}?key=${THEIRS.key}`, { items: [] });
    expect(hook.status).toBeGreaterThanOrEqual(400);
  });

  it.each(KEYED)("see nothing of each other at $method $path", async (route) => {
    for (const address of new Set(addressesOf(route, batch))) {
      const response = await request(route, address, THEIRS.key);
      const headers = JSON.stringify([...response.headers]);
      const content = await contentOf(response);
      expect(content.body + headers).not.toContain(MARK);
      if (content.status === 200) expect(before).not.toContainEqual(content);
    }
  });

  it("find none of each other's files", async () => {
    for (const file of FILES.filter((name) => name.includes("/"))) {
      expect([file, (await read(file, THEIRS.key)).status]).toEqual([file, 404]);
    }
  });

  it("cannot name each other's projects", async () => {
    for (const name of [
      `${OURS.tenant}%2F${PROJECT}`,
      `..%2F${OURS.tenant}%2F${PROJECT}`,
      `${OURS.tenant}/${PROJECT}`,
    ]) {
      for (const path of ["images", "files/image_sources.json", `files/images%2F${STORED}`]) {
        const response = await gateway.fetch(`/v1/projects/${name}/${path}?key=${THEIRS.key}`);
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(await response.text()).not.toContain(MARK);
      }
    }
  });

  it("have everything as it was after all that the other tried", async () => {
    const deleted = await gateway.fetch(`/v1/projects/${PROJECT}/images/${STORED}?key=${THEIRS.key}`, {
      method: "DELETE",
    });
    expect(deleted.status).toBe(404);
    expect(await allOfOurs()).toEqual(before);
  });
});

interface Content {
  readonly status: number;
  readonly body: string;
}

/** Text without what differs at every reading; the digest of anything else. */
async function contentOf(response: Response): Promise<Content> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isText = /json|text/.test(response.headers.get("content-type") ?? "");
  const body = isText
    ? new TextDecoder().decode(bytes)
    : new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  return { status: response.status, body: body.replaceAll(/"(generated_at|request_id)": ?"[^"]*"/g, "") };
}
