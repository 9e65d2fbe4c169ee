import { describe, expect, it } from "vitest";
import { openverse } from "../../src/providers/openverse.ts";
import { pexels } from "../../src/providers/pexels.ts";
import { pixabay } from "../../src/providers/pixabay.ts";
import type { LicensedImage, LicensedImageQuery, Provider } from "../../src/providers/types.ts";
import { wikimedia } from "../../src/providers/wikimedia.ts";
import { pictures, reply } from "./replies.ts";

function read(provider: Provider, body: unknown, facts: Partial<LicensedImageQuery> = {}): readonly LicensedImage[] {
  const outcome = provider.licensedImages!.read(reply(200, body), pictures(facts));
  if (outcome.kind === "failed") throw new Error(outcome.detail);
  return outcome.kind === "hit" ? outcome.results : [];
}

const ids = (images: readonly LicensedImage[]): readonly string[] => images.map(({ assetId }) => assetId);

const hit = (id: number, imageWidth: number, imageHeight: number, files: Record<string, string>) => ({
  id,
  imageWidth,
  imageHeight,
  ...files,
});

const large = { largeImageURL: "https://pixabay.com/get/l.jpg", webformatURL: "https://pixabay.com/get/w.jpg" };

const web = { webformatURL: "https://pixabay.com/get/w.jpg" };

const work = (id: string, facts: Record<string, unknown> = {}) => ({
  id,
  title: "T",
  license: "by",
  url: `https://a.test/${id}.jpg`,
  ...facts,
});

const file = (pageid: number, facts: Record<string, unknown> = {}, metadata: Record<string, string> = {}) => ({
  pageid,
  title: `File:Bridge ${pageid}.jpg`,
  index: pageid,
  imageinfo: [
    {
      url: `https://upload.wikimedia.org/${pageid}.jpg`,
      mime: "image/jpeg",
      width: 300,
      height: 200,
      user: "Uploader",
      extmetadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, { value }])),
      ...facts,
    },
  ],
});

const answer = (pages: unknown): unknown => ({ query: { pages } });

describe("Pexels' pictures", () => {
  it("fall back to smaller files and keep the original's size", () => {
    const src = { large2x: "https://images.pexels.com/2x.jpg", medium: "https://images.pexels.com/m.jpg" };
    expect(read(pexels, { photos: [{ id: 1, width: 4000, height: 3000, src, alt: "", url: "not a URL" }] })).toEqual([
      {
        provider: "pexels",
        assetId: "1",
        title: "Pexels photo",
        author: "",
        sourcePageUrl: "",
        downloadUrl: "https://images.pexels.com/2x.jpg",
        previewUrl: "https://images.pexels.com/m.jpg",
        width: 4000,
        height: 3000,
        license: { name: "Pexels License", url: "https://www.pexels.com/license/" },
      },
    ]);
  });
});

describe("Pixabay's pictures", () => {
  it("tell what can really be had of the claimed size", () => {
    const hits = [
      hit(1, 4836, 2915, large),
      hit(2, 2915, 4836, large),
      hit(3, 900, 600, large),
      hit(4, 4000, 2000, web),
    ];
    expect(read(pixabay, { hits }).map(({ width, height, fetchable }) => ({ width, height, fetchable }))).toEqual([
      { width: 4836, height: 2915, fetchable: { width: 1280, height: 772 } },
      { width: 2915, height: 4836, fetchable: { width: 772, height: 1280 } },
      { width: 900, height: 600, fetchable: { width: 900, height: 600 } },
      { width: 4000, height: 2000, fetchable: { width: 640, height: 320 } },
    ]);
  });

  it("come one by one without skipping any, though Pixabay gives three at least", () => {
    const hits = [1, 2, 3].map((id) => hit(id, 10, 10, large));
    const pages = [1, 2, 3].map((page) => ids(read(pixabay, { hits }, { num: 1, page })));
    expect(pages).toEqual([["1"], ["2"], ["3"]]);
  });

  it("end where Pixabay says that the page is out of range", () => {
    const outOfRange = reply(400, '[ERROR 400] "page" is out of valid range.');
    expect(pixabay.licensedImages!.read(outOfRange, pictures({ page: 30 }))).toEqual({ kind: "empty" });
    expect(pixabay.licensedImages!.read(outOfRange, pictures({ page: 1 }))).toMatchObject({ class: "bad-request" });
  });
});

describe("Openverse's pictures", () => {
  it("are rasters only", () => {
    const results = [
      work("jpeg", { filetype: "jpg" }),
      work("unknown", { url: "https://a.test/image?id=7" }),
      work("drawing", { filetype: "svg" }),
      work("document", { url: "https://a.test/map.pdf" }),
      work("lying", { filetype: "jpg", url: "https://a.test/sound.ogg" }),
      work("animation", { filetype: "gif" }),
    ];
    expect(ids(read(openverse, { results }))).toEqual(["jpeg", "unknown"]);
  });

  it("leave out rawpixel's watermarked previews", () => {
    const results = [
      work("a", { source: "rawpixel" }),
      work("b", { provider: "rawpixel" }),
      work("c", { source: "flickr" }),
    ];
    expect(ids(read(openverse, { results }))).toEqual(["c"]);
  });

  it("leave out one with an odd size, and keep the rest", () => {
    const results = [
      work("a", { width: "12.5" }),
      work("b", { width: -3 }),
      work("c", { width: "1200", height: 900.7 }),
    ];
    expect(read(openverse, { results })).toMatchObject([{ assetId: "c", width: 1200, height: 900 }]);
  });

  it("preview files of Commons at a width that Commons serves, also from a thumbnail's address", () => {
    const url =
      "https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Old%27s_(bridge).jpg/1024px-Old%27s_(bridge).jpg";
    const broken = "https://upload.wikimedia.org/wikipedia/commons/a/ab/%E4%B.jpg";
    const results = [
      work("a", { provider: "wikimedia", url }),
      work("b", { source: "wikimedia", url: broken, thumbnail: "https://t.test/b" }),
      work("c", { source: "wikimedia", thumbnail: "https://t.test/c" }),
    ];
    expect(read(openverse, { results }).map(({ previewUrl }) => previewUrl)).toEqual([
      "https://commons.wikimedia.org/wiki/Special:Redirect/file/Old%27s_%28bridge%29.jpg?width=960",
      "https://t.test/b",
      "https://t.test/c",
    ]);
  });

  it("end at 240 works", () => {
    expect(read(openverse, { results: [work("a")] }, { num: 20, page: 12 })).toHaveLength(1);
    expect(read(openverse, { results: [work("a")] }, { num: 20, page: 13 })).toEqual([]);
  });
});

describe("Wikimedia Commons' pictures", () => {
  it("stand in the order of the search, in both shapes of the answer", () => {
    expect(ids(read(wikimedia, answer([file(3), file(1), file(2)])))).toEqual(["1", "2", "3"]);
    expect(ids(read(wikimedia, answer({ "9": file(9), "10": file(4) })))).toEqual(["4", "9"]);
    expect(ids(read(wikimedia, answer([file(3), file(1), file(2)]), { num: 2 }))).toEqual(["1", "2"]);
  });

  it("are rasters by type and by name", () => {
    const pages = [
      file(1),
      file(2, { mime: "image/svg+xml" }),
      { ...file(3), title: "File:Map.pdf" },
      file(4, { mime: "image/tiff" }),
      file(5, { mime: "image/gif" }),
    ];
    expect(ids(read(wikimedia, answer(pages)))).toEqual(["1", "4"]);
  });

  it.each([
    ["the artist", { Artist: "<a href='//x'>Ann</a>", Attribution: "Ann / CC BY 4.0", Credit: "Flickr" }, "Ann"],
    ["the wanted attribution", { Artist: " ", Attribution: "Photo: Bo", Credit: "Flickr" }, "Photo: Bo"],
    ["the credit", { Credit: "<i>City archive</i>" }, "City archive"],
    ["the uploader of own work", { Credit: '<span class="int-own-work">Own work</span>' }, "Uploader"],
    ["the uploader", {}, "Uploader"],
  ])("name %s", (_, metadata, author) => {
    expect(read(wikimedia, answer([file(1, {}, metadata)]))).toMatchObject([{ author }]);
  });

  it("state the license as Commons does", () => {
    const metadata = { License: "cc-by-sa-4.0", LicenseUrl: "//creativecommons.org/licenses/by-sa/4.0/" };
    const [first, second] = read(
      wikimedia,
      answer([file(1, {}, { ...metadata, LicenseShortName: "CC BY-SA 4.0" }), file(2, {}, metadata)]),
    );
    expect(first!.license).toEqual({ name: "CC BY-SA 4.0", url: "https://creativecommons.org/licenses/by-sa/4.0/" });
    expect(second!.license.name).toBe("cc-by-sa-4.0");
  });

  it("of the wanted shape go alone, unless there is none", () => {
    const pages = [file(1), file(2, { width: 200, height: 300 }), file(3, { width: 0, height: 0 })];
    expect(ids(read(wikimedia, answer(pages), { orientation: "portrait" }))).toEqual(["2"]);
    expect(ids(read(wikimedia, answer(pages), { orientation: "square" }))).toEqual(["1", "2", "3"]);
  });

  it("end where the search index ends", () => {
    expect(read(wikimedia, answer([file(1)]), { num: 50, page: 200 })).toHaveLength(1);
    expect(read(wikimedia, answer([file(1)]), { num: 50, page: 201 })).toEqual([]);
  });
});
