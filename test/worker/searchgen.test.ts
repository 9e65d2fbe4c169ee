import { describe, expect, it } from "vitest";
import { normalizedTitle } from "../../src/searchgen/contract.ts";
import { Gateway } from "./gateway.ts";
import { clientDownloads, clientSearch } from "./searchgen-client.ts";

const QUERIES = ["airplane from above", "french alpine landscape", "cat", "boats in Nagasaki"];
const UPSTREAMS = ["serpapi", "google-cse", "serper", "brave", "searxng", "wikipedia"];
const CLASSES = ["auth", "quota", "rate", "transient", "bad-request", "blocked", "malformed", "empty"];

describe("the SearchGen client", () => {
  it.each(QUERIES)("gets 10 web results for %s", async (query) => {
    const rows = await clientSearch(new Gateway(), "web", query);
    expect(rows).toHaveLength(10);
    expect(rows.map((row) => row.position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(rows.map((row) => normalizedTitle(row.title))).size).toBe(10);
  });

  it.each(QUERIES)("gets 10 image results for %s and downloads three of them", async (query) => {
    const gateway = new Gateway();
    const rows = await clientSearch(gateway, "image", query);
    expect(rows).toHaveLength(10);
    expect(await clientDownloads(rows, (url) => fetch(throughSimulator(gateway, url)))).toHaveLength(3);
  });

  it.each(QUERIES)("downloads mirrored images for %s from our own origin", async (query) => {
    const gateway = new Gateway({ SEARCH_MIRROR: "on" });
    const rows = await clientSearch(gateway, "image", query);
    expect(rows).toHaveLength(10);
    for (const row of rows)
      expect(row.imageUrl).toMatch(/^https:\/\/sluice\.test\/s\/[\w.-]+\/image\.(jpg|png|webp|gif)$/);
    expect(await clientDownloads(rows, (url) => gateway.fetch(url))).toHaveLength(3);
  });

  it.each(UPSTREAMS.flatMap((upstream) => CLASSES.map((fault) => [upstream, fault])))(
    "still gets web results when %s answers %s",
    async (upstream, fault) => {
      const gateway = new Gateway();
      await gateway.fault(upstream, { class: fault });
      expect(await clientSearch(gateway, "web", "cat")).not.toHaveLength(0);
    },
  );

  it.each(
    ["serpapi", "serper", "pexels", "openverse"].flatMap((upstream) => CLASSES.map((fault) => [upstream, fault])),
  )("still gets images when %s answers %s", async (upstream, fault) => {
    const gateway = new Gateway();
    await gateway.fault(upstream, { class: fault });
    const rows = await clientSearch(gateway, "image", "cat");
    expect(await clientDownloads(rows, (url) => fetch(throughSimulator(gateway, url)))).toHaveLength(3);
  });
});

/** What the client would ask of the internet, asked of the simulator. */
function throughSimulator(gateway: Gateway, url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${gateway.scopeUrl}/${host}${pathname}${search}`;
}
