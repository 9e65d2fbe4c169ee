import { describe, expect, it } from "vitest";
import { providerById } from "../../src/providers/registry.ts";
import type { LicensedImage } from "../../src/providers/types.ts";
import cases from "../cases/provider-parse.json" with { type: "json" };
import { pictures, reply } from "./replies.ts";

/** What the later license gate drops from these payloads. */
const REFUSED_LATER = new Set(["ov-4", "b", "504"]);

/** The file to be a drawing, which is dropped here and was kept by the tool that the cases come from. */
const DRAWINGS = new Set(["c"]);

/** Names as the cases show them; ours are raw until the gate has seen them. */
const DISPLAYED: Readonly<Record<string, string>> = {
  cc0: "CC0",
  "public domain": "Public Domain",
  pdm: "Public Domain",
};

type Candidate = Readonly<Record<string, string | number>>;

function asCandidate(image: LicensedImage): Candidate {
  return {
    provider: image.provider,
    title: image.title,
    asset_id: image.assetId,
    source_page_url: image.sourcePageUrl,
    license_name: DISPLAYED[image.license.name.toLowerCase()] ?? image.license.name,
    license_url: image.license.url,
    width: image.width,
    height: image.height,
    download_url: image.downloadUrl,
    preview_url: image.previewUrl,
    author: image.author,
  };
}

/** Commons serves few widths, and 1024 is none of them. */
function atServedWidth(url: string): string {
  return url.replace("?width=1024", "?width=960");
}

function expectedOf(each: (typeof cases.cases)[number]): readonly Candidate[] {
  return (each.candidates ?? [])
    .filter(({ asset_id }) => !DRAWINGS.has(asset_id))
    .map(({ discovery_query: _query, license_tier: _tier, ...candidate }) => ({
      ...candidate,
      preview_url: atServedWidth(candidate.preview_url),
    }));
}

describe("provider payloads", () => {
  it.each(cases.cases)("$provider: $name", (each) => {
    const { licensedImages } = providerById(each.provider)!;
    const outcome = licensedImages!.read(reply(200, each.payload), pictures());
    if (outcome.kind === "failed") throw new Error(outcome.detail);
    const images = outcome.kind === "hit" ? outcome.results : [];
    expect(images.filter(({ assetId }) => !REFUSED_LATER.has(assetId)).map(asCandidate)).toEqual(expectedOf(each));
  });

  it("keeps Openverse's license version apart, for the gate to name the license with", () => {
    const [mixed] = cases.cases;
    const outcome = providerById("openverse")!.licensedImages!.read(reply(200, mixed!.payload), pictures());
    expect(outcome.kind === "hit" && outcome.results[0]!.license).toEqual({
      name: "by",
      version: "2.0",
      url: "https://creativecommons.org/licenses/by/2.0/",
    });
  });
});
