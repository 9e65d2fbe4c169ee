import { describe, expect, it } from "vitest";
import { PROVIDERS, providerById, sunsetOn } from "../../src/providers/registry.ts";

describe("the registry", () => {
  it("lists ten providers once each, in the order of the default chains", () => {
    expect(PROVIDERS.map(({ id }) => id)).toEqual([
      "serpapi",
      "google-cse",
      "serper",
      "brave",
      "searxng",
      "wikipedia",
      "pexels",
      "pixabay",
      "openverse",
      "wikimedia",
    ]);
  });

  it("finds a provider by its id, and none by another name", () => {
    expect(providerById("brave")?.name).toBe("Brave");
    expect(providerById("toString")).toBeUndefined();
  });

  it("ends Google Custom Search with the year 2026", () => {
    expect(sunsetOn("2026-12-31")).toEqual([]);
    expect(sunsetOn("2027-01-01").map(({ id }) => id)).toEqual(["google-cse"]);
  });

  it("says which settings each provider needs", () => {
    const settings = Object.fromEntries(PROVIDERS.map(({ id, credentialSets }) => [id, credentialSets]));
    expect(settings).toMatchObject({
      serpapi: [{ key: "SERPAPI_API_KEY" }],
      "google-cse": [
        { key: "GOOGLE_SEARCH_API_KEY_1", cx: "GOOGLE_CSE_ID" },
        { key: "GOOGLE_SEARCH_API_KEY_2", cx: "GOOGLE_CSE_ID" },
      ],
      searxng: [{ base: "SEARXNG_URL" }],
      wikipedia: [{}],
      openverse: [{}],
      wikimedia: [{}],
    });
  });

  it("lets only the operator's own host be private", () => {
    expect(PROVIDERS.filter(({ operatorHost }) => operatorHost).map(({ id }) => id)).toEqual(["searxng"]);
  });

  it("offers licensed pictures from the four that state licenses, and nothing else from them", () => {
    const licensed = PROVIDERS.filter(({ licensedImages }) => licensedImages !== undefined);
    expect(licensed.map(({ id }) => id)).toEqual(["pexels", "pixabay", "openverse", "wikimedia"]);
    expect(licensed.every(({ web, images }) => web === undefined && images === undefined)).toBe(true);
  });
});
