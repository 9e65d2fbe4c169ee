import type { LicensedImage } from "../providers/types.ts";
import type { License } from "./license.ts";

/** A picture whose license is cleared. */
export interface Candidate extends Omit<LicensedImage, "license"> {
  readonly license: License;
  /** The explicit query or variant that found it, never a rung of its ladder. */
  readonly discoveryQuery: string;
}
