import { z } from "@hono/zod-openapi";

/** How a project may be called. */
export const projectNameField = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be 1–64 lower-case letters, digits, dots, hyphens or underscores");
