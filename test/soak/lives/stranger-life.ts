import { type Ask, type Client, jsonOf } from "../client.ts";
import { TENANTS } from "../tenants.ts";

const LISTS = new Set(["listImages", "listBatches", "getFile"]);
const REFUSED = new Set([400, 401, 403, 404, 409, 429]);

/** Somebody who knows the names of another tenant's things and asks for them with a key of his own. */
export async function strangerLife(client: Client): Promise<void> {
  const { dice, tenant } = client;
  const other = dice.pick(TENANTS.filter((each) => each !== tenant));
  if (other.batches.length === 0) return;
  const { project, id } = dice.pick(other.batches);
  const at = `/v1/projects/${project}`;
  const batch = `${at}/batches/${id}`;
  // A name with the other's mark in it would be in the answer by our own doing.
  const asks: readonly Ask[] = [
    { operationId: "listImages", path: `${at}/images` },
    { operationId: "listBatches", path: `${at}/batches` },
    { operationId: "getBatch", path: batch },
    { operationId: "watchBatch", path: `${batch}/events` },
    { operationId: "getCheckpoint", path: `${batch}/checkpoint` },
    { operationId: "listDeliveries", path: `${batch}/deliveries` },
    { operationId: "getArchive", path: `${at}/archive.zip` },
    { operationId: "getFile", path: `${at}/files/image_sources.json` },
    { operationId: "getFile", path: `${at}/files/image_queries.json` },
    { operationId: "runBatch", method: "POST", path: `${batch}/run` },
    { operationId: "cancelBatch", method: "DELETE", path: batch },
    { operationId: "removeProject", method: "DELETE", path: at },
  ];
  for (const ask of asks.filter(() => dice.chance(0.4))) {
    client.ledger.count("asked for another tenant's");
    const answer = await client.ask(ask);
    // A project comes into being when it is named, so its lists are there and empty.
    const isEmptyList = answer.status === 200 && LISTS.has(ask.operationId) && isEmpty(answer.text);
    client.claim(
      REFUSED.has(answer.status) || isEmptyList,
      () => `${tenant.name} gets ${ask.path} of ${other.name}: ${answer.status} ${answer.text.slice(0, 300)}`,
    );
  }
}

/** Every project that is listed to a tenant is one that it named itself. */
export async function checkProjectList(client: Client): Promise<void> {
  for (let after: string | null = ""; after !== null;) {
    const path: string = after === "" ? "/v1/projects" : `/v1/projects?after=${after}`;
    const page = jsonOf<{ projects: { project: string }[]; next: string | null }>(
      await client.insist({ operationId: "listProjects", path }),
    );
    const strange = page.projects.filter(({ project }) => !client.tenant.projects.has(project));
    client.claim(strange.length === 0, () => `${client.tenant.name} is shown ${JSON.stringify(strange)}`);
    after = page.next;
  }
}

function isEmpty(text: string): boolean {
  const { images, batches, items } = JSON.parse(text) as Record<string, readonly unknown[] | undefined>;
  return (images ?? batches ?? items ?? [text]).length === 0;
}
