import type { LicensedImageProviderId, Orientation } from "../providers/types.ts";

/** One wanted image, already validated. */
export interface ImageRequest {
  readonly filename: string;
  readonly query: string;
  /** Further explicit queries; none of them says what `query` says. */
  readonly queryVariants: readonly string[];
  readonly slide: string;
  readonly purpose: string;
  readonly orientation: Orientation;
  /** Pixels; without it the default that fits the orientation. */
  readonly minWidth?: number;
  readonly minHeight?: number;
  /** Only this provider is asked. */
  readonly provider?: LicensedImageProviderId;
  readonly strictNoAttribution: boolean;
  /** Groups as the caller wrote them, alternatives apart by `|`: `Jiefangbei|解放碑`. Each must be met. */
  readonly requiredTerms: readonly string[];
}

/** Something in a request that works, but hardly as its author meant it. */
export interface RequestWarning {
  readonly code: "negative-wording" | "hex-color" | "quality-words" | "generic-required-term";
  /** The words in question, as written. */
  readonly words: readonly string[];
  readonly detail: string;
}
