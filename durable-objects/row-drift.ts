import type { RowItem } from "../src/batches/rows.ts";
import { toImageRequest, withRowDefaults } from "../src/images/row.ts";
import { meetsFloors, MIN_AREA } from "../src/images/size-floors.ts";
import { objectKey } from "../src/storage/objects.ts";
import type { ProjectIdentity } from "./project.ts";
import { projectStub } from "./project-store.ts";

/** Why a `Sourced` row is not what it says: no entry, no bytes, or smaller than the row asks for. Undefined when it is. */
export async function driftOf(item: RowItem, identity: ProjectIdentity, env: Env): Promise<string | undefined> {
  const record = await projectStub(env, identity).image(item.filename);
  if (record === undefined) return "The manifest has no entry for this file.";
  const object = await env.BUCKET.head(objectKey(identity.tenant, record.sha256));
  if (object === null || object.size !== record.bytes) return "The stored file is gone or damaged.";
  // What a person chose may be smaller than a search may choose.
  if (record.origin === "manual") return undefined;
  const { request } = toImageRequest(withRowDefaults(item));
  return meetsFloors(record.item, request, MIN_AREA)
    ? undefined
    : `The stored file is ${record.item.width}x${record.item.height}, smaller than the row asks for.`;
}
