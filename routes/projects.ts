import type { Context } from "hono";
import type { ProjectIdentity, ProjectObject } from "../durable-objects/project.ts";
import { projectStore, projectStub } from "../durable-objects/project-store.ts";
import { SluiceError } from "../src/errors.ts";
import type { ImageSink } from "../src/images/commit.ts";
import { projectNameField } from "../src/project-name.ts";
import type { AppEnv } from "./context.ts";

export const projectParam = projectNameField.openapi({
  param: { name: "project", in: "path" },
  example: "deck-7",
});

export interface Project {
  readonly identity: ProjectIdentity;
  readonly stub: DurableObjectStub<ProjectObject>;
}

/** The project object of the caller's own tenant; no other can be named. */
export function projectOf(c: Context<AppEnv>, name: string): Project {
  const parsed = projectParam.safeParse(name);
  if (!parsed.success) throw new SluiceError("not-found", "There is no project of this name.");
  const { tenant } = c.var.caller;
  const identity = { tenant, project: name };
  return { identity, stub: projectStub(c.env, identity) };
}

/** What the image jobs write to. */
export function sinkOf(c: Context<AppEnv>, { identity }: Project): ImageSink {
  const project = projectStore(c.env, identity, c.var.clock);
  return { bucket: c.env.BUCKET, tenant: identity.tenant, project };
}
