import pMap from "p-map";
import { projectFileKey, projectsPrefix } from "./objects.ts";

/** A small file that every project leaves in R2, so that a tenant's projects can be listed there. */
const MARKER = "project.json";
/** Looks into R2 at once. */
const LOOKS = 6;
/** Keys that R2 deletes in one call. */
const DELETE_AT_ONCE = 1_000;

export interface ListedProject {
  readonly name: string;
  /** Epoch milliseconds, up to some seconds late; undefined for a project from before markers. */
  readonly changedAt: number | undefined;
}

export async function leaveMarker(bucket: R2Bucket, tenant: string, project: string, changedAt: number): Promise<void> {
  const changed_at = new Date(changedAt).toISOString();
  await bucket.put(projectFileKey(tenant, project, MARKER), `${JSON.stringify({ project, changed_at })}\n`, {
    httpMetadata: { contentType: "application/json" },
    customMetadata: { changed_at },
  });
}

/** A tenant's projects in the order of their keys, at most `limit` of them behind the project `after`. */
export async function listProjects(
  bucket: R2Bucket,
  tenant: string,
  after: string | undefined,
  limit: number,
): Promise<{ projects: ListedProject[]; next: string | undefined }> {
  const prefix = projectsPrefix(tenant);
  const page = await bucket.list({
    prefix,
    delimiter: "/",
    limit,
    // Behind every file of that project: `0` is the character after the slash.
    ...(after === undefined ? {} : { startAfter: `${prefix}${after}0` }),
  });
  const names = page.delimitedPrefixes.map((folder) => folder.slice(prefix.length, -1));
  const projects = await pMap(
    names,
    async (name) => {
      const marker = await bucket.head(projectFileKey(tenant, name, MARKER));
      const changed = Date.parse(marker?.customMetadata?.["changed_at"] ?? "");
      return { name, changedAt: Number.isNaN(changed) ? marker?.uploaded.getTime() : changed };
    },
    { concurrency: LOOKS },
  );
  return { projects, next: page.truncated ? names.at(-1) : undefined };
}

/** Deletes the files of a project, and says whether there was one. Objects stay: other names may mean them. */
export async function deleteProjectFiles(bucket: R2Bucket, tenant: string, project: string): Promise<boolean> {
  const prefix = projectFileKey(tenant, project, "");
  let found = false;
  for (;;) {
    // From the start each time: what was there before is gone.
    const { objects } = await bucket.list({ prefix, limit: DELETE_AT_ONCE });
    if (objects.length === 0) return found;
    found = true;
    await bucket.delete(objects.map(({ key }) => key));
  }
}
