import { TOOLS } from "../../src/tools/registry.ts";
import { send } from "./mcp-clients.ts";
import { NO_PROVIDERS, type World } from "./openapi-world.ts";

/** An operation, the status that its answer has, and how to ask. */
export type Case = readonly [operationId: string, status: number, ask: (world: World) => Promise<Response>];

const LOCKED = { LOCAL_TENANT: "" };
const BROKEN = { API_KEYS: "not json" };
const PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const CAT = "https://a.example/cat.jpg";
const TODAY = { query: "boats in Nagasaki today" };
const ALPS = { filename: "alps.jpg", query: "french alpine landscape", save_candidates: true };
const MANUAL = { url: "https://odd.example/progressive.jpg", min_width: 1, min_height: 1 };

const put = (body: unknown) => ({
  method: "PUT",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const remove = { method: "DELETE" };

const SEARCHES: Case[] = [
  ["searchGen", 200, (w) => w.gateway().post("/search", { search_type: "web", query: "cat" })],
  ["searchGen", 200, (w) => w.gateway().post("/search", { search_type: "image", query: "cat" })],
  ["searchGen", 400, (w) => w.gateway().post("/search", { search_type: "web" })],
  ["searchGen", 400, (w) => w.gateway().post("/search", "{")],
  ["searchGen", 401, (w) => w.gateway(LOCKED).post("/search", {})],
  ["searchGen", 413, (w) => w.gateway().post("/search", { query: "x".repeat(70_000) })],
  ["searchGen", 415, (w) => w.gateway().fetch("/search", { method: "POST", body: "query=cat" })],
  ["searchGen", 502, async (w) => (await w.failing("serpapi")).post("/search", { search_type: "web", query: "cat" })],
  ["searchGen", 503, (w) => w.gateway(BROKEN).post("/search", { search_type: "web", query: "cat" })],
  ["answer", 200, (w) => w.gateway().post("/v1/answer", TODAY)],
  ["answer", 200, (w) => w.gateway().post("/v1/answer", { query: "explain cat", include_answer: true })],
  ["answer", 200, (w) => w.gateway({ GEMINI_API_KEY: "" }).post("/v1/answer", TODAY)],
  ["answer", 400, (w) => w.gateway().post("/v1/answer", {})],
  ["answer", 401, (w) => w.gateway(LOCKED).post("/v1/answer", TODAY)],
  ["answer", 502, async (w) => (await w.failing("gemini", "tavily")).post("/v1/answer", TODAY)],
  ["answer", 503, (w) => w.gateway(NO_PROVIDERS).post("/v1/answer", TODAY)],
  ["webSearch", 200, (w) => w.gateway().post("/v1/web-search", { query: "cat" })],
  ["webSearch", 400, (w) => w.gateway().post("/v1/web-search", { query: "cat", pages: 2 })],
  ["webSearch", 502, async (w) => (await w.failing("serpapi")).post("/v1/web-search", { query: "cat" })],
  ["imageSearch", 200, (w) => w.gateway().post("/v1/image-search", { query: "cat" })],
  ["imageSearch", 200, (w) => w.gateway().post("/v1/image-search", { ...TODAY, query: "cat", license: "cleared" })],
  ["imageSearch", 401, (w) => w.gateway(LOCKED).post("/v1/image-search", { query: "cat" })],
  ["reverseImage", 200, (w) => w.gateway().post("/v1/reverse-image", { image_url: CAT })],
  ["reverseImage", 200, (w) => w.gateway().post("/v1/reverse-image", { image_data_url: PIXEL, mode: "cascade" })],
  ["reverseImage", 400, (w) => w.gateway().post("/v1/reverse-image", { image_url: "http://127.0.0.1/" })],
  ["listTools", 200, (w) => w.gateway().fetch("/v1/tools")],
  ["listTools", 401, (w) => w.gateway(LOCKED).fetch("/v1/tools")],
  ...TOOLS.map(({ id, needs }): Case => {
    const input = needs === "query" ? { query: "cat" } : { image_url: CAT };
    return ["callTool", 200, (w) => w.gateway().post(`/v1/tools/${id}`, input)];
  }),
  ["callTool", 400, (w) => w.gateway().post("/v1/tools/unknown", { query: "cat" })],
  ["callTool", 502, async (w) => (await w.failing("github")).post("/v1/tools/github", { query: "cat" })],
  ["streamChat", 200, (w) => w.gateway().post("/chat/stream", { message: "cat", tools: ["google-search"] })],
  [
    "streamChat",
    200,
    (w) => w.gateway({ CHAT_BASE_URL: "" }).post("/chat/stream", { message: "cat", tools: ["github"] }),
  ],
  [
    "streamChat",
    200,
    async (w) => (await w.failing("chat", "github")).post("/chat/stream", { message: "a", tools: ["github"] }),
  ],
  ["streamChat", 400, (w) => w.gateway().post("/chat/stream", { message: "" })],
];

const IMAGES: Case[] = [
  ["acquireImage", 200, (w) => w.images.search({ filename: "shown.jpg" })],
  [
    "acquireImage",
    201,
    (w) => w.images.search({ filename: "taken.jpg", save_candidates: false, query: "airplane from above" }),
  ],
  ["acquireImage", 400, (w) => w.images.search({ filename: "../alps.jpg" })],
  ["acquireImage", 400, (w) => w.gateway().post("/v1/projects/Not-A-Name/images", ALPS)],
  ["acquireImage", 409, (w) => w.images.search({ candidate_page: 900 })],
  ["acquireImage", 422, (w) => w.images.search({ filename: "none.jpg", query: "zzqqxxyy" })],
  ["promoteCandidate", 201, (w) => w.images.promote("candidate_01.jpg", { identity_confirmed: true })],
  ["promoteCandidate", 409, (w) => w.images.promote("candidate_01.jpg", {}, "no-pool.jpg")],
  ["promoteCandidate", 400, (w) => w.images.promote("candidate_01.jpg", { sure: true })],
  ["listImages", 200, (w) => w.image("/images")],
  ["listImages", 400, (w) => w.image("/images?after=x")],
  ["getImage", 200, (w) => w.image("/images/airplane.jpg")],
  ["getImage", 404, (w) => w.image("/images/nothing.jpg")],
  ["getImage", 400, (w) => w.gateway().fetch("/v1/projects/Not-A-Name/images/a.jpg")],
  [
    "removeImage",
    204,
    (w) => w.images.fromUrl(MANUAL.url, MANUAL, "gone.jpg").then(() => w.image("/images/gone.jpg", remove)),
  ],
  ["removeImage", 404, (w) => w.image("/images/nothing.jpg", remove)],
  ["replaceFromUrl", 201, (w) => w.image("/images/own.jpg/from-url", put(MANUAL))],
  ["replaceFromUrl", 400, (w) => w.image("/images/own.jpg/from-url", put({ url: "ftp://odd.example/" }))],
  ["replaceFromUrl", 422, (w) => w.image("/images/own.jpg/from-url", put({ ...MANUAL, min_width: 20_000 }))],
  ["replaceFromUrl", 502, (w) => w.image("/images/own.jpg/from-url", put({ url: "https://odd.example/none.jpg" }))],
  ["uploadImage", 201, async (w) => upload(w, await picture(w))],
  ["uploadImage", 400, (w) => upload(w, new Uint8Array())],
  ["uploadImage", 422, (w) => upload(w, new Uint8Array(64))],
  ["getFile", 200, (w) => w.image("/files/image_sources.json")],
  ["getFile", 200, (w) => w.image("/files/candidates/alps/candidates.json")],
  ["getFile", 200, (w) => w.image("/files/candidates/alps/review_sheet.jpg")],
  ["getFile", 200, (w) => w.get("/files/image_queries.json")],
  ["getFile", 404, (w) => w.image("/files/nothing.json")],
  ["getFile", 404, (w) => w.gateway().fetch("/v1/projects/Not-A-Name/files/image_sources.json")],
  ["openLink", 200, async (w) => w.images.gateway.fetch(await w.pictureLink())],
  ["openLink", 403, (w) => w.gateway().fetch("/s/forged.token/sheet.jpg")],
  ["openLink", 503, (w) => w.gateway({ SIGNING_SECRET: "" }).fetch("/s/forged.token/sheet.jpg")],
];

const REVIEWS: Case[] = [
  ["makeReviewLink", 201, (w) => w.images.gateway.post(`${w.images.path}/images/alps.jpg/review-link`, {})],
  ["makeReviewLink", 404, (w) => w.images.gateway.post(`${w.images.path}/images/nothing.jpg/review-link`, {})],
  ["getReview", 200, async (w) => w.images.gateway.fetch(`/review/${await w.reviewToken()}/state`)],
  ["getReview", 403, (w) => w.gateway().fetch("/review/forged.token/state")],
  ["showReviewPage", 200, async (w) => w.images.gateway.post(`/review/${await w.reviewToken()}/page`, { page: 1 })],
  ["showReviewPage", 409, async (w) => w.images.gateway.post(`/review/${await w.reviewToken()}/page`, { page: 900 })],
  [
    "promoteReviewed",
    201,
    async (w) =>
      w.images.gateway.post(`/review/${await w.reviewToken()}/promote`, {
        candidate: "candidate_01.jpg",
        identity_confirmed: true,
      }),
  ],
  ["promoteReviewed", 403, (w) => w.gateway().post("/review/forged.token/promote", { candidate: "candidate_01.jpg" })],
  [
    "replaceReviewedFromUrl",
    201,
    async (w) =>
      w.images.gateway.fetch(`/review/${await w.reviewToken()}/from-url`, put({ url: await w.originalUrl() })),
  ],
  ["replaceReviewedFromUrl", 403, (w) => w.gateway().fetch("/review/forged.token/from-url", put({ url: MANUAL.url }))],
];

const PROJECTS: Case[] = [
  ["listProjects", 200, (w) => w.gateway().fetch("/v1/projects")],
  ["listProjects", 400, (w) => w.gateway().fetch("/v1/projects?after=Not-A-Name")],
  [
    "removeProject",
    204,
    async (w) => {
      await w.gateway().post("/v1/projects/thrown-away/images", ALPS);
      return w.gateway().fetch("/v1/projects/thrown-away", remove);
    },
  ],
  ["removeProject", 404, (w) => w.gateway().fetch("/v1/projects/never-there", remove)],
  ["getArchive", 200, (w) => w.image("/archive.zip")],
  ["getArchive", 404, (w) => w.gateway().fetch("/v1/projects/never-there/archive.zip")],
  ["makeArchiveLink", 201, (w) => w.image("/archive-link", { method: "POST" })],
  [
    "makeArchiveLink",
    503,
    (w) => w.gateway({ SIGNING_SECRET: "" }).fetch("/v1/projects/p/archive-link", { method: "POST" }),
  ],
  ["openArchive", 200, async (w) => w.images.gateway.fetch(await w.archiveLink())],
  ["openArchive", 403, (w) => w.gateway().fetch("/archive/forged.token/deck.zip")],
  [
    "importCandidates",
    200,
    async (w) => importInto(w, await (await w.image("/files/candidates/alps/candidates.json")).json()),
  ],
  ["importCandidates", 400, (w) => importInto(w, { schema_version: 1 })],
];

const BATCHES: Case[] = [
  ["submitBatch", 202, (w) => w.post("/batches", { items: [{ filename: "a.jpg", query: "cat", status: "Sourced" }] })],
  ["submitBatch", 400, (w) => w.post("/batches", { items: [{ filename: "a.jpg", query: "cat", status: "Done" }] })],
  ["submitBatch", 422, (w) => mismatch(w)],
  ["listBatches", 200, (w) => w.get("/batches")],
  ["listBatches", 400, (w) => w.get("/batches?before=x")],
  ["getBatch", 200, (w) => w.get(`/batches/${w.batch.id}`)],
  ["getBatch", 404, (w) => w.get("/batches/b_none")],
  ["cancelBatch", 200, async (w) => w.get(`/batches/${await w.cancelled()}`, remove)],
  ["cancelBatch", 404, (w) => w.get("/batches/b_none", remove)],
  ["runBatch", 202, (w) => w.post(`/batches/${w.batch.id}/run`)],
  ["runBatch", 409, async (w) => w.post(`/batches/${await w.cancelled()}/run`)],
  ["changeRow", 200, (w) => patch(w, "none.jpg", { query: "zzqqxxyy zzqq" })],
  ["changeRow", 400, (w) => patch(w, "none.jpg", { min_width: "wide" })],
  ["changeRow", 404, (w) => patch(w, "nothing.jpg", { query: "cat" })],
  ["watchBatch", 200, (w) => w.get(`/batches/${w.batch.id}/events`)],
  ["watchBatch", 400, (w) => w.get(`/batches/${w.batch.id}/events`, { headers: { "last-event-id": "x" } })],
  ["watchBatch", 404, (w) => w.get("/batches/b_none/events")],
  ["getCheckpoint", 200, (w) => w.get(`/batches/${w.batch.id}/checkpoint`)],
  ["getCheckpoint", 404, (w) => w.get("/batches/b_none/checkpoint")],
  ["checkPages", 200, (w) => w.post(`/batches/${w.batch.id}/checkpoint`, { pages: [{ name: "1", text: "alps.jpg" }] })],
  ["checkPages", 400, (w) => w.post(`/batches/${w.batch.id}/checkpoint`, { pages: [] })],
  ["listDeliveries", 200, (w) => w.get(`/batches/${w.batch.id}/deliveries`)],
  ["listDeliveries", 404, (w) => w.get("/batches/b_none/deliveries")],
  ["resendDelivery", 202, async (w) => w.post(`/batches/${w.batch.id}/deliveries/${await w.deliveryId()}/resend`)],
  ["resendDelivery", 404, (w) => w.post(`/batches/${w.batch.id}/deliveries/none/resend`)],
  ["receiveHook", 202, (w) => w.hook('{"items":[{"filename":"a.jpg","query":"cat","status":"Sourced"}]}')],
  ["receiveHook", 400, (w) => w.hook("[]")],
  ["receiveHook", 401, (w) => w.hook("{}", `whsec_${btoa("the-secret-of-somebody-else-32-b")}`)],
];

const DEPLOYMENT: Case[] = [
  ["callMcp", 200, (w) => send(w.gateway(), "tools/list")],
  ["callMcp", 400, (w) => w.gateway().post("/mcp", [])],
  ["callMcp", 400, (w) => w.gateway().post("/mcp", "{")],
  ["callMcp", 401, (w) => send(w.gateway(LOCKED), "tools/list")],
  ["callMcp", 403, (w) => send(w.gateway(), "tools/list", {}, { origin: "https://elsewhere.example" })],
  ["callMcp", 404, (w) => send(w.gateway(), "tools/none")],
  ["getHealth", 200, (w) => w.gateway().fetch("/healthz")],
  ["getHealth", 503, (w) => w.gateway(BROKEN).fetch("/healthz")],
  ["listProviders", 200, (w) => w.gateway().fetch("/v1/providers")],
  ["listProviders", 401, (w) => w.gateway(LOCKED).fetch("/v1/providers?key=wrong")],
  ["getProblem", 200, (w) => w.gateway().fetch("/problems/no-match")],
  ["getProblem", 404, (w) => w.gateway().fetch("/problems/none")],
  ["getDescription", 200, (w) => w.gateway().fetch("/openapi.json")],
  ["getDescription", 304, (w) => again(w)],
  ["getDescription", 503, (w) => w.gateway(BROKEN).fetch("/openapi.json")],
  ["getDocs", 200, (w) => w.gateway().fetch("/docs")],
  ["getDocs", 503, (w) => w.gateway(BROKEN).fetch("/docs")],
];

export const CASES: readonly Case[] = [...SEARCHES, ...IMAGES, ...REVIEWS, ...PROJECTS, ...BATCHES, ...DEPLOYMENT];

function patch(world: World, filename: string, changes: unknown): Promise<Response> {
  return world.get(`/batches/${world.batch.id}/rows/${filename}`, { ...put(changes), method: "PATCH" });
}

async function mismatch({ batches }: World): Promise<Response> {
  const headers = { "idempotency-key": "described" };
  const items = [{ filename: "a.jpg", query: "cat", status: "Sourced" }];
  await batches.submit({ items }, headers);
  return batches.submit({ items, more: true }, headers);
}

async function picture({ images }: World): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`${images.gateway.scopeUrl}/odd.example/progressive.jpg`);
  return new Uint8Array(await response.arrayBuffer());
}

function upload({ images }: World, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const query = "source_page_url=https%3A%2F%2Fexample.org%2Fpage&min_width=1&min_height=1";
  return images.put("uploaded.jpg", `upload?${query}`, { body, headers: { "content-type": "image/jpeg" } });
}

function importInto(world: World, file: unknown): Promise<Response> {
  return world.gateway().fetch("/v1/projects/imported/images/alps.jpg/candidates", put(file));
}

async function again(world: World): Promise<Response> {
  const first = await world.gateway().fetch("/openapi.json");
  return world.gateway().fetch("/openapi.json", { headers: { "if-none-match": first.headers.get("etag")! } });
}
