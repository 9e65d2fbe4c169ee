import type { Context } from "hono";
import type { ImageCommit } from "../src/images/commit.ts";
import { batchOf } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import type { Project } from "./projects.ts";

/** What a person stored under a filename ends the batch row of that filename, if there is one. */
export async function reconcileRow(c: Context<AppEnv>, project: Project, commit: ImageCommit): Promise<void> {
  const batch = await project.stub.batchOf(commit.filename);
  if (batch === undefined) return;
  const { provider, license_tier: tier } = commit.item;
  await batchOf(c, project, batch).reconcile(commit.filename, provider, tier);
}
