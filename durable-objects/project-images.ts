import type { CommitRefusal, ImageCommit, ImageRecord } from "../src/images/commit.ts";
import { filenameKey, stemOf } from "../src/images/filename.ts";
import { type ManifestItem, printItem, renderManifest } from "../src/images/provenance.ts";

/** The images of one project: which stored bytes each filename means, and where they came from. */
export class ProjectImages {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS images (
        filename_key TEXT PRIMARY KEY,
        filename TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        content_type TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        origin TEXT NOT NULL,
        item TEXT NOT NULL,
        review TEXT,
        stem_key TEXT NOT NULL,
        committed_at INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS images_by_stem ON images (stem_key);
    `);
  }

  refusalFor(filename: string, origin: ImageCommit["origin"]): CommitRefusal | undefined {
    const [row] = this.#sql.exec<{ filename: string; origin: string }>(
      "SELECT filename, origin FROM images WHERE filename_key = ?",
      filenameKey(filename),
    );
    if (row === undefined) return this.#sharedStem(filename);
    if (row.filename !== filename) return { code: "filename-conflict", existing: row.filename };
    if (row.origin === "manual" && origin === "search") return { code: "manual-image-kept", existing: row.filename };
    return undefined;
  }

  /** Derived files lie under the stem, so two filenames cannot share one. */
  #sharedStem(filename: string): CommitRefusal | undefined {
    const [row] = this.#sql.exec<{ filename: string }>(
      "SELECT filename FROM images WHERE stem_key = ?",
      filenameKey(stemOf(filename)),
    );
    return row === undefined ? undefined : { code: "stem-conflict", existing: row.filename };
  }

  /** A replaced entry moves to the end, as in the manifest's own rules. */
  put(commit: ImageCommit, now: number): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO images
       VALUES (?, ?, (SELECT COALESCE(MAX(sequence), 0) + 1 FROM images), ?, ?, ?, ?, ?, ?, ?, ?)`,
      filenameKey(commit.filename),
      commit.filename,
      commit.sha256,
      commit.contentType,
      commit.bytes,
      commit.origin,
      printItem(commit.item),
      commit.review ?? null,
      filenameKey(stemOf(commit.filename)),
      now,
    );
  }

  get(filename: string): ImageRecord | undefined {
    const [row] = this.#sql.exec<ImageRow>("SELECT * FROM images WHERE filename = ?", filename);
    return row === undefined ? undefined : toRecord(row);
  }

  byStem(stem: string): ImageRecord | undefined {
    const [row] = this.#sql.exec<ImageRow>("SELECT * FROM images WHERE stem_key = ?", filenameKey(stem));
    return row === undefined ? undefined : toRecord(row);
  }

  /** Whether there was one. */
  remove(filename: string): boolean {
    return this.#sql.exec("DELETE FROM images WHERE filename = ?", filename).rowsWritten > 0;
  }

  /** Whether there was any. */
  clear(): boolean {
    return this.#sql.exec("DELETE FROM images").rowsWritten > 0;
  }

  page(after: number, limit: number): { images: ImageRecord[]; next: number | undefined } {
    const rows = this.#sql
      .exec<ImageRow>("SELECT * FROM images WHERE sequence > ? ORDER BY sequence LIMIT ?", after, limit + 1)
      .toArray();
    const page = rows.slice(0, limit);
    return { images: page.map(toRecord), next: rows.length > limit ? page.at(-1)!.sequence : undefined };
  }

  /** `image_sources.json` as it stands now. */
  manifest(): string {
    const { latest } = this.#sql
      .exec<{ latest: number | null }>("SELECT MAX(committed_at) AS latest FROM images")
      .one();
    return renderManifest(this.#printedItems(), latest ?? 0);
  }

  *#printedItems(): Iterable<string> {
    for (const { item } of this.#sql.exec<{ item: string }>("SELECT item FROM images ORDER BY sequence")) yield item;
  }
}

interface ImageRow extends Record<string, SqlStorageValue> {
  filename: string;
  sequence: number;
  sha256: string;
  content_type: string;
  bytes: number;
  origin: ImageCommit["origin"];
  item: string;
  review: string | null;
  committed_at: number;
}

function toRecord(row: ImageRow): ImageRecord {
  return {
    filename: row.filename,
    sha256: row.sha256,
    contentType: row.content_type,
    bytes: row.bytes,
    origin: row.origin,
    item: JSON.parse(row.item) as ManifestItem,
    ...(row.review === null ? {} : { review: row.review }),
    committedAt: row.committed_at,
  };
}
