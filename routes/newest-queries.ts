import type { Context } from "hono";
import { batchOf } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import type { Project } from "./projects.ts";

/** Belongs to the newest batch: as it stands, it can be saved and sent again. */
export const QUERIES = "image_queries.json";

/** The file's text; undefined where the project has no batch. */
export async function newestQueries(c: Context<AppEnv>, project: Project): Promise<string | undefined> {
  const [newest] = (await project.stub.batches(undefined, 1)).batches;
  return newest === undefined ? undefined : batchOf(c, project, newest.id).queries();
}
