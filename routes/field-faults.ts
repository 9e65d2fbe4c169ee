import type { Hook } from "@hono/zod-openapi";
import type { ZodError } from "zod";
import { type FieldFault, SluiceError } from "../src/errors.ts";
import type { AppEnv } from "./context.ts";

/** Every fault of a parsed input, with an RFC 6901 pointer to its field. */
export function fieldFaults(error: ZodError): FieldFault[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ pointer: pointer([...issue.path, key]), detail: "is not a known field" }));
    }
    return [{ pointer: pointer(issue.path), detail: issue.message }];
  });
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Turns what a route's schema found into the problem that callers get. */
export const throwFaults: Hook<unknown, AppEnv, string, unknown> = (result) => {
  if (result.success) return;
  const faults = fieldFaults(result.error as ZodError);
  const first = faults[0]!;
  const where = first.pointer === "" ? "The body" : first.pointer;
  throw new SluiceError("invalid-request", `${where}: ${first.detail}`, { faults });
};
