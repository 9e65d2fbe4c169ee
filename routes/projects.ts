import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ProjectIdentity, ProjectObject } from "../durable-objects/project.ts";
import type { AppEnv } from "./context.ts";

export const projectParam = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be 1–64 lower-case letters, digits, dots, hyphens or underscores")
  .openapi({ param: { name: "project", in: "path" }, example: "deck-7" });

/** The project object of the caller's own tenant; no other can be named. */
export function projectOf(
  c: Context<AppEnv>,
  project: string,
): { identity: ProjectIdentity; stub: DurableObjectStub<ProjectObject> } {
  const { tenant } = c.var.caller;
  return { identity: { tenant, project }, stub: c.env.PROJECTS.getByName(`${tenant}/${project}`) };
}
