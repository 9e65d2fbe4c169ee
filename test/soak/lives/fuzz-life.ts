import fc from "fast-check";
import { type FuzzRequest, requestsTo } from "../../fuzz/requests.ts";
import { type Document, operationsOf } from "../../openapi/document.ts";
import { type Client, jsonOf } from "../client.ts";
import { signedHook } from "./signed-hook.ts";

/** What the client library writes itself and refuses from others, and what Miniflare answers in the Worker's place. */
const NOT_SENT = new Set(["transfer-encoding", "expect", "content-length", "accept-encoding"]);

/** Requests to any operation, valid, nearly valid and wrong in every way, in a project that only such requests touch. */
export function fuzzLife(document: Document): (client: Client) => Promise<void> {
  const operations = operationsOf({ ...document, webhooks: {} });
  return async (client) => {
    const { dice } = client;
    const known = await knownTo(client);
    const count = dice.between(4, 12);
    for (let each = 0; each < count; each++) {
      const target = { ...dice.pick(operations), known };
      const [request] = fc.sample(requestsTo(target, document), { seed: dice.between(0, 2 ** 31), numRuns: 1 });
      await send(client, request!);
    }
  };
}

async function send(client: Client, request: FuzzRequest): Promise<void> {
  client.ledger.count("fuzzed");
  const { operationId, method, path, body, isPlain } = request;
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed =
    operationId === "receiveHook" ? signedHook(client, `msg_${client.dice.between(0, 2 ** 31)}`, text) : [];
  const headers = [...signed, ...request.headers].filter(([name]) => !NOT_SENT.has(name));
  await client.ask({
    operationId,
    method,
    path,
    headers,
    isAstray: !isPlain,
    ...(body === undefined ? {} : { body }),
  });
}

/** Things of this tenant that stand in addresses. */
async function knownTo(client: Client): Promise<Readonly<Record<string, string>>> {
  const { dice, tenant } = client;
  const project = `fuzz-${tenant.name}`;
  tenant.projects.add(project);
  const at = `/v1/projects/${project}`;
  const listed = await client.insist({ operationId: "listBatches", path: `${at}/batches` });
  const ids = listed.status === 200 ? jsonOf<{ batches: { id: string }[] }>(listed).batches.map(({ id }) => id) : [];
  const linked = await client.insist({
    operationId: "makeReviewLink",
    method: "POST",
    path: `${at}/images/alps.jpg/review-link`,
    json: {},
  });
  const token = linked.status === 201 ? new URL(jsonOf<{ url: string }>(linked).url).pathname.split("/")[2]! : "none";
  return {
    project,
    batch: ids.length === 0 ? "b_none" : dice.pick(ids),
    delivery: "none",
    filename: dice.pick(["alps.jpg", "fuzz.png"]),
    token,
    name: "picture.jpg",
    id: dice.pick(["google-search", "github", "serpapi-images"]),
    code: "no-match",
    path: dice.pick(["image_sources.json", "image_queries.json", "images/alps.jpg", ".review/alps.jpg"]),
    tenant: tenant.name,
  };
}
