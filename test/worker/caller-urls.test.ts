import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/tools/registry.ts";
import { ADDRESS_TRICKS, ADDRESS_TRICKS_BY_KIND, BROKEN_ADDRESSES } from "../egress/address-tricks.ts";
import { row } from "./batch-project.ts";
import { Project } from "./candidate-project.ts";
import { Gateway } from "./gateway.ts";
import { send, type ToolAnswer } from "./mcp-clients.ts";

type Refused = (url: string) => Promise<boolean>;

const HOOK_SECRET = `whsec_${btoa("the-secret-of-the-tenant-32-byte")}`;
const gateway = new Gateway({ WEBHOOKS: JSON.stringify({ acme: { secrets: [HOOK_SECRET] } }) });
const LICENSED = {
  rank: 1,
  score: 1,
  filename: "candidate_01.jpg",
  provider: "wikimedia",
  title: "Alps",
  author: "Jane Doe",
  source_page_url: "https://commons.wikimedia.org/wiki/File:Alps.jpg",
  preview_url: "",
  matched_query: "alps",
  license_name: "CC0 1.0",
  license_url: "https://creativecommons.org/publicdomain/zero/1.0/",
  width: 2_400,
  height: 1_600,
  preview_width: 960,
  preview_height: 640,
};
const reviewed = new Project();
let links = 0;

beforeAll(() => reviewed.page().then(() => undefined));

/** A new one each time: one link alone may not act so often. */
async function reviewPath(): Promise<string> {
  const body = { expires_in_seconds: 3_600 + ++links };
  const link = await reviewed.gateway.post(`${reviewed.path}/images/alps.jpg/review-link`, body);
  return new URL((await link.json<{ url: string }>()).url).pathname;
}

const put = (path: string, body: unknown) =>
  gateway.fetch(path, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const isRefusal = ({ status }: Response) => status === 400 || status === 422;
const batch = (url: string) => ({
  items: [row("a.jpg", "cat", { status: "Sourced" })],
  options: { webhook: { url, secret: HOOK_SECRET } },
});
const imageTools = TOOLS.filter(({ needs }) => needs === "image");

/** Every member of a request that holds an address which we, or somebody for us, would ask. */
const MEMBERS: Readonly<Record<string, Refused>> = {
  "image_url of a search by image": async (url) =>
    isRefusal(await gateway.post("/v1/reverse-image", { image_url: url })),
  ...Object.fromEntries(
    imageTools.map(({ id }): [string, Refused] => [
      `image_url of the tool ${id}`,
      async (url) => isRefusal(await gateway.post(`/v1/tools/${id}`, { image_url: url })),
    ]),
  ),
  "image_url of MCP's reverse_image": async (url) => {
    const answer = await send(gateway, "tools/call", { name: "reverse_image", arguments: { image_url: url } });
    return (await answer.json<{ result: ToolAnswer }>()).result.isError === true;
  },
  "images of the chat": async (url) =>
    isRefusal(await gateway.post("/chat/stream", { message: "what is it?", search: "never", images: [url] })),
  "url of from-url": async (url) => isRefusal(await put("/v1/projects/urls/images/a.jpg/from-url", { url })),
  "url of a review's from-url": async (url) => isRefusal(await put(`${await reviewPath()}/from-url`, { url })),
  "webhook of a batch": async (url) => isRefusal(await gateway.post("/v1/projects/urls/batches", batch(url))),
  "webhook of a batch that a hook brings": async (url) => {
    const [body, id, at] = [JSON.stringify(batch(url)), `msg_${crypto.randomUUID()}`, new Date()];
    const answer = await gateway.post("/v1/hooks/acme/urls", body, {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(HOOK_SECRET).sign(id, at, body),
    });
    return isRefusal(answer);
  },
  "download_url of imported candidates": async (url) => {
    const imported = await put("/v1/projects/urls/images/imported.jpg/candidates", {
      schema_version: 3,
      target_filename: "imported.jpg",
      searched_at: "2026-11-03T08:30:00.000Z",
      license_stage: "all",
      candidate_page: 1,
      page_size: 8,
      request: { query: "alps" },
      candidates: [{ ...LICENSED, download_url: url }],
    });
    if (imported.status === 400) return true;
    const promotion = { candidate: "candidate_01.jpg", identity_confirmed: true };
    return isRefusal(await gateway.post("/v1/projects/urls/images/imported.jpg/promote", promotion));
  },
};

describe("an address that a caller gives", () => {
  it.each(Object.entries(MEMBERS))("as %s leads nowhere inside", async (_, refused) => {
    const passed = [];
    for (const url of [...ADDRESS_TRICKS, ...BROKEN_ADDRESSES]) if (!(await refused(url))) passed.push(url);
    expect(passed).toEqual([]);
    expect((await gateway.calls()).requests).toEqual([]);
  });

  it("leaves nothing behind when it is refused", async () => {
    const images = await gateway.fetch("/v1/projects/urls/images");
    expect(await images.json()).toMatchObject({ images: [] });
    expect(await (await gateway.fetch("/v1/projects/urls/batches")).json()).toMatchObject({ batches: [] });
  });
});

describe("a redirect", () => {
  it.each(ADDRESS_TRICKS_BY_KIND)("to %s ends there, after a hop that was allowed", async (_, addresses) => {
    const project = new Project();
    const hops = ["odd.example", "historypictures.example"];
    for (const address of addresses) {
      await project.gateway.fault(`images:${hops[0]}`, { redirect: `https://${hops[1]}/next.jpg` });
      await project.gateway.fault(`images:${hops[1]}`, { redirect: inAHeader(address) });
      const refused = await project.fromUrl(`https://${hops[0]}/first.jpg`);
      // `https:127.0.0.1` is a path of the same host there, so that the redirects never end.
      expect([address, [422, 502].includes(refused.status)]).toEqual([address, true]);
    }
    const { requests } = await project.gateway.calls();
    expect(new Set(requests.map(({ host }) => host))).toEqual(new Set(hops));
  });
});

describe("an address that an upstream gives", () => {
  const images = ADDRESS_TRICKS.map((original, index) => ({
    position: index + 1,
    title: `Cat ${index}`,
    original,
    link: original,
  }));

  it.each(["on", "off"])("as a picture is never looked at, with the mirror %s", async (mirror) => {
    const searching = new Gateway({ IMAGE_CHAIN: "serpapi", SEARCH_MIRROR: mirror });
    await searching.fault("serpapi", { status: 200, body: JSON.stringify({ images_results: images }) });
    await searching.post("/search", { search_type: "image", query: "cat", num: 20 });
    expect(await hostsAsked(searching)).toEqual(["serpapi.com"]);
  });

  it("as preview or original of a licensed picture is never asked for", async () => {
    for (const save_candidates of [true, false]) {
      const project = new Project({ LICENSED_IMAGE_CHAIN: "pexels" });
      const photos = ADDRESS_TRICKS.map((url, id) => photo(url, id));
      await project.gateway.fault("pexels", {
        status: 200,
        body: JSON.stringify({ photos, total_results: photos.length }),
      });
      const answer = await project.search({ save_candidates, query: "alps" });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await hostsAsked(project.gateway)).toEqual(["api.pexels.com"]);
    }
  });

  it("as the redirect of a grounded source is never asked for", async () => {
    const answering = new Gateway();
    const groundingChunks = ADDRESS_TRICKS.map((uri) => ({ web: { uri, title: "a.example" } }));
    const candidate = {
      content: { parts: [{ text: "Cats." }] },
      finishReason: "STOP",
      groundingMetadata: { webSearchQueries: ["cat"], groundingChunks, groundingSupports: [] },
    };
    await answering.fault("gemini", { status: 200, body: JSON.stringify({ candidates: [candidate] }) });
    await answering.post("/v1/answer", { query: "latest news about a cat" });
    const outside = (await hostsAsked(answering)).filter((host) => !/googleapis\.com$|^api\.tavily\.com$/.test(host));
    expect(outside).toEqual([]);
  });
});

/** Headers hold no other letters; the URL parser takes them percent-encoded as well. */
function inAHeader(address: string): string {
  return address.replaceAll(/[^\t\u0020-\u007e]+/g, encodeURIComponent);
}

function photo(url: string, id: number) {
  return {
    id,
    width: 3_000,
    height: 2_000,
    url: "https://www.pexels.com/photo/alps-1/",
    photographer: "Jane Doe",
    photographer_url: "https://www.pexels.com/@jane",
    alt: "alps",
    src: { original: url, large2x: url, large: url, medium: url, small: url, portrait: url, landscape: url, tiny: url },
  };
}

async function hostsAsked(asking: Gateway): Promise<string[]> {
  const { requests } = await asking.calls();
  return [...new Set(requests.map(({ host }) => host))].toSorted();
}
