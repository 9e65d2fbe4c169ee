import { type Client, jsonOf } from "../client.ts";
import { QUERIES } from "../queries.ts";
import { claimSame, newFilename, newProject } from "./project.ts";
import { signedHook } from "./signed-hook.ts";

/** A sender whose event starts a batch, and who sends it again until it is taken, and once more for good measure. */
export async function hookLife(client: Client): Promise<void> {
  const { dice, tenant } = client;
  const project = newProject(client);
  const items = [{ filename: newFilename(client, 0), query: dice.pick(QUERIES), status: "Pending" }];
  const body = JSON.stringify({ items });
  const id = `msg_${project}`;
  const ids = new Set<string>();
  for (let sent = 0; sent < 2; sent++) {
    const taken = await client.insist({
      operationId: "receiveHook",
      method: "POST",
      path: `/v1/hooks/${tenant.name}/${project}`,
      headers: [["content-type", "application/json"], ...signedHook(client, id, body)],
      body,
      isAnonymous: true,
    });
    if (taken.status !== 202) return client.violation(`a signed hook is refused: ${taken.status} ${taken.text}`);
    ids.add(jsonOf<{ id: string }>(taken).id);
  }
  client.ledger.count("hooks");
  const listed = await client.insist({ operationId: "listBatches", path: `/v1/projects/${project}/batches` });
  const batches = jsonOf<{ batches: { id: string }[] }>(listed).batches.map((batch) => batch.id);
  claimSame(client, `the batches of the hook in ${project}`, batches, [...ids]);
  client.claim(batches.length === 1, () => `one event made ${batches.length} batches in ${project}`);
}
