import { type FaultCase, jsonCase, plainCase } from "./fault-case.ts";

/** Answers of image hosts that say that this picture is not to be had, and nothing about the provider. */
export function previewCases(): FaultCase[] {
  return [
    jsonCase("thumb-424", 424, "transient", { detail: "Could not get the thumbnail from its source." }),
    jsonCase("thumb-415", 415, "bad-request", { detail: "Unsupported media type: image/tiff." }),
    plainCase("width-400", 400, "bad-request", "Error: this thumbnail size is not one of the standard sizes.\n"),
    plainCase("width-429", 429, "rate", "Use thumbnail sizes listed on https://w.wiki/GHai\n", {
      headers: { "retry-after": "60" },
      retryAfterMs: 60_000,
    }),
  ];
}
