import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ProjectIdentity, ProjectObject } from "../durable-objects/project.ts";
import { SluiceError } from "../src/errors.ts";
import type { ImageSink, ProjectStore } from "../src/images/commit.ts";
import type { AppEnv } from "./context.ts";

export const projectParam = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be 1–64 lower-case letters, digits, dots, hyphens or underscores")
  .openapi({ param: { name: "project", in: "path" }, example: "deck-7" });

export interface Project {
  readonly identity: ProjectIdentity;
  readonly stub: DurableObjectStub<ProjectObject>;
}

/** The project object of the caller's own tenant; no other can be named. */
export function projectOf(c: Context<AppEnv>, name: string): Project {
  const parsed = projectParam.safeParse(name);
  if (!parsed.success) throw new SluiceError("not-found", "There is no project of this name.");
  const { tenant } = c.var.caller;
  return { identity: { tenant, project: name }, stub: c.env.PROJECTS.getByName(`${tenant}/${name}`) };
}

/** What the image jobs write to. */
export function sinkOf(c: Context<AppEnv>, { identity, stub }: Project): ImageSink {
  const { clock } = c.var;
  const project: ProjectStore = {
    refusalFor: async (filename, origin) => stub.refusalFor(filename, origin),
    commit: async (commit) => stub.commit(identity, commit, clock.now()),
    image: async (filename) => stub.image(filename),
    pool: async (filename) => stub.pool(filename),
    startPool: async (pool) => stub.startPool(pool),
    addPreviews: async (filename, report) => stub.addPreviews(filename, report),
    showPage: async (filename, page) => stub.showPage(filename, page),
  };
  return { bucket: c.env.BUCKET, tenant: identity.tenant, project };
}
