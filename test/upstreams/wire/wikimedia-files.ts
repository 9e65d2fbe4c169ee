import { type Context, Hono } from "hono";
import { USER_AGENT_REFUSAL } from "../cases/mediawiki.ts";
import type { WikimediaRecord } from "../catalogue/wikimedia.ts";
import { pdfBytes, svgText } from "../pixels/documents.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { namesContact } from "./answering.ts";
import { commonsFile, extensionOf, mimeOf, widthRefusal } from "./commons-files.ts";
import { formatOfName, serveBytes, servePicture, serveTrouble } from "./serve-picture.ts";

type Call = Context<SimulatorEnv>;

/** Originals and thumbnails of Commons, on both of its file hosts. */
export const wikimediaFiles = new Hono<SimulatorEnv>();

wikimediaFiles.use(async (c, next) => (namesContact(c) ? next() : c.text(USER_AGENT_REFUSAL, 403)));

wikimediaFiles.get("/wikipedia/commons/thumb/:a/:ab/:name/:thumbnail", (c) => {
  const record = commonsFile(c.req.param("name"));
  const width = Number(/(?:^|-)(\d+)px-/.exec(c.req.param("thumbnail"))?.[1]);
  if (record === undefined || Number.isNaN(width)) return missing(c);
  const refused = widthRefusal(c, width);
  if (refused !== undefined) return refused;
  const { picture } = record;
  if (width >= picture.width && extensionOf(record.title) !== "svg") {
    return c.text("Requested width is not smaller than the original's.\n", 400);
  }
  const format = formatOfName(c.req.param("thumbnail"));
  return servePicture(c, picture, { format, width, height: Math.round((picture.height * width) / picture.width) });
});

wikimediaFiles.get("/wikipedia/commons/:a/:ab/:name", (c) => {
  const record = commonsFile(c.req.param("name"));
  return record === undefined ? missing(c) : original(c, record);
});

function original(c: Call, record: WikimediaRecord): Response | Promise<Response> {
  if (record.trouble !== undefined) return serveTrouble(c, record.trouble);
  const { picture, title } = record;
  switch (extensionOf(title)) {
    case "pdf":
      return serveBytes(c, pdfBytes(), mimeOf(title));
    case "svg":
      return c.body(svgText(picture.width, picture.height), 200, { "content-type": mimeOf(title) });
    default:
      return servePicture(c, picture, { format: formatOfName(title) });
  }
}

function missing(c: Call): Response {
  return c.html("<!DOCTYPE html><html><body>404: File not found</body></html>\n", 404);
}
