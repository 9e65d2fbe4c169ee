import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/cascade/outcome.ts";
import type { UpstreamReply } from "../../src/egress/wire.ts";
import { PROVIDERS } from "../../src/providers/registry.ts";
import { readersOf } from "./readers.ts";
import { reply } from "./replies.ts";

const LIST_NAMES =
  "organic_results images_results image_results inline_images visual_matches exact_matches pages_with_this_image " +
  "related_content items organic images results photos hits";
const FIELD_NAMES =
  "title link url original imageUrl img_src properties thumbnail src snippet id pageid imageinfo extmetadata width date index " +
  "header data price original_image source full_name html_url stargazers_count";

/** JSON with the documented names in it, so that it gets past the first look. */
const lookalike = fc
  .record({
    list: fc.constantFrom(...LIST_NAMES.split(" ")),
    items: fc.array(fc.dictionary(fc.constantFrom(...FIELD_NAMES.split(" ")), fc.jsonValue({ maxDepth: 2 }))),
    odd: fc.jsonValue({ maxDepth: 2 }),
  })
  .map(({ list, items, odd }) => ({
    search_metadata: { status: "Success" },
    [list]: items,
    web: { results: items },
    query: { search: items, pages: items },
    unresponsive_engines: odd,
    knowledge_graph: odd,
    header: { status: 0, short_remaining: odd, long_remaining: odd },
    data: odd,
    success: true,
  }));

const body = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.json(),
  lookalike.map((value) => JSON.stringify(value)),
  fc.jsonValue().map((error) => JSON.stringify({ error, detail: error, errors: error })),
);

const anyReply: fc.Arbitrary<UpstreamReply> = fc
  .tuple(
    fc.oneof(
      fc.constant(200),
      fc.constantFrom(302, 400, 401, 403, 410, 422, 429, 500),
      fc.integer({ min: 200, max: 599 }),
    ),
    body,
    fc.dictionary(
      fc.constantFrom("retry-after", "x-ratelimit-reset", "x-ratelimit-remaining", "mediawiki-api-error"),
      fc.oneof(fc.string({ unit: "grapheme-ascii" }), fc.double().map(String), fc.constant("0, 0")),
    ),
  )
  .map(([status, text, headers]) => reply(status, text, headers));

const readers = PROVIDERS.flatMap((provider) =>
  readersOf(provider).map((reader) => ({ name: `${provider.id} ${reader.what}`, ...reader })),
);

function faultsOf(outcome: Outcome<unknown>, given: UpstreamReply, num: number): readonly string[] {
  if (outcome.kind === "hit") {
    const count = outcome.results.length;
    return count > 0 && count <= num ? [] : [`${count} results where 1 to ${num} are wanted`];
  }
  if (outcome.kind === "empty") return [];
  return [
    ...(outcome.status === given.status ? [] : ["another status"]),
    ...((outcome.retryAfterMs ?? 0) >= 0 ? [] : ["a negative waiting time"]),
  ];
}

describe("whatever an upstream sends", () => {
  it.each(readers)("$name answers with a sound outcome", ({ read, single }) => {
    fc.assert(
      fc.property(anyReply, fc.integer({ min: 1, max: 5 }), (given, num) => {
        const outcome = read(given, num);
        expect(faultsOf(outcome, given, single ? 1 : num)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
