import type { Hook } from "@hono/zod-openapi";
import type { ZodError } from "zod";
import { SluiceError } from "../src/errors.ts";
import { fieldFaults } from "../src/field-faults.ts";
import type { AppEnv } from "./context.ts";

/** Turns what a route's schema found into the problem that callers get. */
export const throwFaults: Hook<unknown, AppEnv, string, unknown> = (result) => {
  if (result.success) return;
  const faults = fieldFaults(result.error as ZodError);
  const first = faults[0]!;
  const where = first.pointer === "" ? "The body" : first.pointer;
  throw new SluiceError("invalid-request", `${where}: ${first.detail}`, { faults });
};
