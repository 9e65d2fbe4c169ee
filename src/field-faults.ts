import type { ZodError } from "zod";
import type { FieldFault } from "./errors.ts";

/** Every fault of a parsed input, with an RFC 6901 pointer to its field behind `prefix`. */
export function fieldFaults(error: ZodError, prefix = ""): FieldFault[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        pointer: prefix + pointer([...issue.path, key]),
        detail: "is not a known field",
      }));
    }
    // The library's own words speak of expressions, not of what to do.
    const isEmpty = issue.code === "too_small" && issue.origin === "string" && issue.minimum === 1;
    return [{ pointer: prefix + pointer(issue.path), detail: isEmpty ? "must not be empty" : issue.message }];
  });
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
