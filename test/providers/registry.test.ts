import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { accountsOf } from "../../src/providers/call.ts";
import { PROVIDERS, providerById, sunsetOn } from "../../src/providers/registry.ts";

describe("the registry", () => {
  it("lists every provider once, those of the default chains in their order", () => {
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
      "saucenao",
      "github",
      "imgbb",
      "gemini",
      "tavily",
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
      saucenao: [{ key: "SAUCENAO_API_KEY" }],
      github: [{ key: "GITHUB_TOKEN" }, {}],
      imgbb: [{ key: "IMGBB_API_KEY" }],
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

  it("names each engine of a kind of search once, so that an id says which is meant", () => {
    for (const kind of ["webEngines", "imageEngines", "reverseEngines"] as const) {
      const engines = PROVIDERS.flatMap((provider) => Object.keys(provider[kind] ?? {}));
      expect(new Set(engines).size).toBe(engines.length);
    }
    expect(PROVIDERS.flatMap(({ webEngines }) => Object.keys(webEngines ?? {}))).toEqual(["bing", "baidu"]);
    expect(PROVIDERS.flatMap(({ imageEngines }) => Object.keys(imageEngines ?? {}))).toEqual([
      "google_images",
      "bing_images",
    ]);
    expect(PROVIDERS.flatMap(({ reverseEngines }) => Object.keys(reverseEngines ?? {}))).toEqual([
      "google_lens",
      "google_reverse_image",
      "yandex_images",
      "bing_reverse_image",
      "saucenao",
    ]);
  });
});

describe("the accounts of a provider", () => {
  const accounts = (settings: Record<string, string>) =>
    accountsOf(providerById("github")!, readConfig(settings)).map(({ name, credentials }) => ({
      name,
      ...credentials,
    }));

  it("are the one with a key where it is configured, and one without where it is not", () => {
    expect(accounts({ GITHUB_TOKEN: "t-1" })).toEqual([{ name: "github", key: "t-1" }]);
    expect(accounts({})).toEqual([{ name: "github" }]);
  });
});
