import { describe, expect, it } from "vitest";
import { TEST_KEYS } from "../upstreams/keys.ts";
import { faultCases } from "../upstreams/fault-cases.ts";
import { Gateway } from "./gateway.ts";

const SECRETS = Object.entries(TEST_KEYS).flatMap(([name, value]) => (name === "SEARXNG_URL" ? [] : [value]));
const UPSTREAMS = [
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
];

async function outputs(gateway: Gateway, responses: readonly Response[]): Promise<string> {
  const texts = await Promise.all(responses.map((response) => response.text()));
  const headers = responses.map((response) => JSON.stringify([...response.headers]));
  return [...texts, ...headers, ...gateway.log].join("\n");
}

describe("a key that an upstream quotes back", () => {
  it.each(UPSTREAMS)("is in no output when %s fails in each of its ways", async (upstream) => {
    for (const { id } of faultCases(upstream, { key: "", nowSeconds: 0 })) {
      const gateway = new Gateway({
        WEB_CHAIN: ["wikipedia", "serpapi", "google-cse", "serper", "brave", "searxng"].includes(upstream)
          ? upstream
          : "wikipedia",
        IMAGE_CHAIN: ["google-cse", "wikipedia"].includes(upstream) ? "openverse" : upstream,
      });
      await gateway.fault(upstream, { case: id });
      const responses = [
        await gateway.post("/search", { search_type: "web", query: "cat" }),
        await gateway.post("/search", { search_type: "image", query: "cat" }),
        await gateway.post("/v1/projects/secrets/images", { filename: `${upstream}-${id}.jpg`, query: "cat" }),
      ];
      const everything = await outputs(gateway, responses);
      for (const secret of SECRETS) expect(everything).not.toContain(secret);
    }
  });

  it("is in no output when every upstream puts every key into a 500 body", async () => {
    const gateway = new Gateway();
    const body = `Error at https://api.example/?key=${SECRETS.join("&api_key=")} Authorization: Bearer ${SECRETS.join(" ")}`;
    for (const upstream of UPSTREAMS) await gateway.fault(upstream, { status: 500, body });
    const responses = [
      await gateway.post("/search", { search_type: "web", query: "cat" }),
      await gateway.post("/search", { search_type: "image", query: "cat" }),
      await gateway.post("/v1/projects/secrets/images", { filename: "leak.jpg", query: "cat" }),
    ];
    expect(responses.map((response) => response.status)).toEqual([502, 502, 502]);
    const everything = await outputs(gateway, responses);
    for (const secret of SECRETS) expect(everything).not.toContain(secret);
    expect(everything).not.toContain("api.example");
  });

  it("is in no manifest, though Pixabay's stands in its URL", async () => {
    const gateway = new Gateway({ LICENSED_IMAGE_CHAIN: "pixabay" });
    const response = await gateway.post("/v1/projects/secrets/images", { filename: "pixabay.jpg", query: "flower" });
    expect(response.status).toBe(201);
    const manifest = await gateway.fetch("/v1/projects/secrets/files/image_sources.json");
    const everything = await outputs(gateway, [response, manifest]);
    for (const secret of SECRETS) expect(everything).not.toContain(secret);
  });
});
