import type { LicensedImageProviderId } from "../../src/providers/types.ts";
import type { Candidate } from "../../src/images/candidate.ts";
import type { License } from "../../src/images/license.ts";
import type { ImageRequest } from "../../src/images/request.ts";

export const CC0: License = {
  tier: "no-attribution",
  name: "CC0",
  url: "https://creativecommons.org/publicdomain/zero/1.0/",
  spdx: "CC0-1.0",
  evidence: { name: "cc0", version: "1.0", url: "https://creativecommons.org/publicdomain/zero/1.0/" },
};

export const BY_SA: License = {
  tier: "attribution-required",
  name: "CC BY-SA 4.0",
  url: "https://creativecommons.org/licenses/by-sa/4.0/",
  spdx: "CC-BY-SA-4.0",
  evidence: { name: "CC BY-SA 4.0", url: "https://creativecommons.org/licenses/by-sa/4.0/" },
};

export function request(more: Partial<ImageRequest> = {}): ImageRequest {
  return {
    filename: "hero.jpg",
    query: "offshore wind farm",
    queryVariants: [],
    slide: "",
    purpose: "",
    orientation: "any",
    strictNoAttribution: false,
    requiredTerms: [],
    ...more,
  };
}

export function candidate(more: Partial<Candidate> = {}): Candidate {
  const assetId = more.assetId ?? "1";
  const provider: LicensedImageProviderId = more.provider ?? "wikimedia";
  return {
    provider,
    assetId,
    title: "Offshore wind farm",
    author: "Jane Doe",
    sourcePageUrl: `https://example.org/${provider}/${assetId}`,
    downloadUrl: `https://img.example/${provider}/${assetId}.jpg`,
    previewUrl: `https://img.example/${provider}/${assetId}_p.jpg`,
    width: 3000,
    height: 2000,
    license: CC0,
    discoveryQuery: "offshore wind farm",
    ...more,
  };
}
