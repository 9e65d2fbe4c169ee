import { makeZip } from "client-zip";
import type { Context } from "hono";
import { SluiceError } from "../src/errors.ts";
import type { ImageRecord } from "../src/images/commit.ts";
import { creditsPage } from "../src/images/credits-page.ts";
import { checkFilename } from "../src/images/filename.ts";
import { printItem, renderManifest } from "../src/images/provenance.ts";
import { objectKey } from "../src/storage/objects.ts";
import type { AppEnv } from "./context.ts";
import { newestQueries, QUERIES } from "./newest-queries.ts";
import { allImages } from "./project-images.ts";
import { type Project, projectOf } from "./projects.ts";

interface ArchiveFile {
  readonly name: string;
  readonly input: ReadableStream<Uint8Array> | string;
  readonly size?: number;
  readonly lastModified: Date;
}

/**
 * The whole project as a zip that is made while it is sent, one image after another. What is listed in it is the project
 * at one moment. `not-found` where there is neither an image nor a batch.
 */
export async function archiveResponse(c: Context<AppEnv>, name: string): Promise<Response> {
  const project = projectOf(c, name);
  const [records, queries] = await Promise.all([allImages(project), newestQueries(c, project)]);
  if (records.length === 0 && queries === undefined) {
    throw new SluiceError("not-found", "The project has no image and no batch.");
  }
  const files = archiveFiles(c.env.BUCKET, project, records, queries, c.var.clock.now());
  return new Response(makeZip(files), {
    headers: {
      "content-type": "application/zip",
      // A project's name needs no quoting.
      "content-disposition": `attachment; filename="${name}.zip"`,
      "cache-control": "private, no-store, no-transform",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    },
  });
}

async function* archiveFiles(
  bucket: R2Bucket,
  { identity }: Project,
  records: readonly ImageRecord[],
  queries: string | undefined,
  now: number,
): AsyncGenerator<ArchiveFile> {
  const missing = new Set<string>();
  for (const { filename, sha256, committedAt } of records) {
    // Checked when it was stored; a zip is no place to rely on that.
    const object = checkFilename(filename).ok ? await bucket.get(objectKey(identity.tenant, sha256)) : null;
    if (object === null) {
      missing.add(filename);
      continue;
    }
    const { body: input, size } = object;
    yield { name: `images/${filename}`, input, size, lastModified: new Date(committedAt) };
  }
  const lastModified = new Date(now);
  const items = records.map(({ item }) => item);
  const latest = Math.max(0, ...records.map(({ committedAt }) => committedAt));
  yield { name: "image_sources.json", input: renderManifest(items.map(printItem), latest), lastModified };
  if (queries !== undefined) yield { name: QUERIES, input: queries, lastModified };
  yield { name: "CREDITS.md", input: creditsPage({ project: identity.project, items, missing }), lastModified };
}
