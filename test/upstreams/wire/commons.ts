import { type Context, Hono } from "hono";
import { licenseOf } from "../catalogue/licenses.ts";
import { commonsFileUrl, commonsPageUrl, WIKIMEDIA, type WikimediaRecord } from "../catalogue/wikimedia.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, numberParameter, slice } from "./answering.ts";
import { commonsFile, mimeOf, redirectTarget, standardWidth, thumbnailOf } from "./commons-files.ts";
import { actionRefusal, mediawikiError, searchParameters } from "./mediawiki.ts";

type Call = Context<SimulatorEnv>;

const MOST_AT_ONCE = 3;
/** What the search index counts as a bitmap. */
const BITMAP = /\.(?:jpe?g|png|gif|webp|tiff?)$/i;

/** Wire: commons.wikimedia.org/w/api.php, `generator=search` with `prop=imageinfo`; and the redirect to a file. */
export const commons = new Hono<SimulatorEnv>();

commons.get("/w/api.php", (c) => {
  if (c.get("scope").log.openTo("wikimedia") > MOST_AT_ONCE) {
    return c.html("<!DOCTYPE html><html><body>Too many concurrent requests</body></html>\n", 429, {
      "retry-after": "1",
    });
  }
  const refused = actionRefusal(c);
  if (refused !== undefined) return refused;
  if (c.req.query("generator") !== "search") return mediawikiError(c, "badvalue", "Unrecognized value for generator.");
  const parameters = searchParameters(c, "gsr");
  if ("error" in parameters) return parameters.error;
  const { text, limit, offset, warnings } = parameters;
  const all = c.req.query("gsrnamespace") === "6" ? filesFor(c, text) : [];
  const pages = slice(all, offset, limit).map((record, index) => page(c, record, offset + index + 1));
  const isVersion2 = c.req.query("formatversion") === "2";
  const inOrderOfId = pages.toSorted((one, other) => one.pageid - other.pageid);
  return c.json({
    batchcomplete: isVersion2 ? true : "",
    ...(all.length > offset + limit ? { continue: { gsroffset: offset + limit, continue: "gsroffset||" } } : {}),
    ...warnings,
    ...(pages.length === 0
      ? {}
      : {
          query: {
            pages: isVersion2 ? inOrderOfId : Object.fromEntries(inOrderOfId.map((each) => [each.pageid, each])),
          },
        }),
  });
});

commons.get("/wiki/:page/file/:name", (c) =>
  c.req.param("page") === "Special:Redirect" ? toFile(c, c.req.param("name")) : c.notFound(),
);

commons.get("/wiki/:page/:name", (c) =>
  c.req.param("page") === "Special:FilePath" ? toFile(c, c.req.param("name")) : c.notFound(),
);

function toFile(c: Call, name: string): Response {
  const record = commonsFile(name);
  if (record === undefined) return c.html("<!DOCTYPE html><html><body>Invalid title</body></html>\n", 404);
  const target = redirectTarget(c, record);
  return target instanceof Response ? target : c.redirect(target, 302);
}

function filesFor(c: Call, text: string): WikimediaRecord[] {
  const types = /\bfiletype:(\S+)/.exec(text)?.[1]?.split("|");
  const files = found(c, WIKIMEDIA, text.replaceAll(/\b\w+:\S+/g, " "));
  return types?.includes("bitmap") === true ? files.filter(({ title }) => BITMAP.test(title)) : files;
}

function page(c: Call, record: WikimediaRecord, index: number): { pageid: number } & Record<string, unknown> {
  const wantsInfo = (c.req.query("prop") ?? "").split("|").includes("imageinfo");
  return {
    pageid: record.pageId,
    ns: 6,
    title: `File:${record.title}`,
    index,
    ...(wantsInfo ? { imagerepository: "local", imageinfo: [imageInfo(c, record)] } : {}),
  };
}

function imageInfo(c: Call, record: WikimediaRecord): Record<string, unknown> {
  const wanted = new Set((c.req.query("iiprop") ?? "timestamp|user").split("|"));
  const { picture, title } = record;
  const asked = numberParameter(c, "iiurlwidth", 0);
  const width = asked > 0 ? Math.min(standardWidth(asked) ?? picture.width, picture.width) : 0;
  const thumbnail =
    width === 0
      ? {}
      : {
          thumburl: thumbnailOf(record, width),
          thumbwidth: width,
          thumbheight: Math.round((picture.height * width) / picture.width),
        };
  return {
    ...(wanted.has("user") ? { user: record.uploader } : {}),
    ...(wanted.has("size")
      ? { size: picture.width * picture.height, width: picture.width, height: picture.height }
      : {}),
    ...(wanted.has("url")
      ? {
          ...thumbnail,
          url: commonsFileUrl(title),
          descriptionurl: commonsPageUrl(title),
          descriptionshorturl: `https://commons.wikimedia.org/w/index.php?curid=${record.pageId}`,
        }
      : {}),
    ...(wanted.has("mime") ? { mime: mimeOf(title) } : {}),
    ...(wanted.has("extmetadata") ? { extmetadata: metadata(c, record) } : {}),
  };
}

function metadata(c: Call, record: WikimediaRecord): Record<string, unknown> {
  const license = licenseOf(record.license);
  const values: Record<string, string> = {
    LicenseShortName: license.shortName,
    License: license.code,
    LicenseUrl: license.url,
    Artist: record.artistHtml,
    Credit: '<span class="int-own-work" lang="en">Scan of a print</span>',
  };
  const wanted = c.req.query("iiextmetadatafilter")?.split("|");
  const kept = Object.entries(values).filter(
    ([name, value]) => value !== "" && (wanted === undefined || wanted.includes(name)),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, { value, source: "commons-desc-page" }]));
}
