import { DurableObject } from "cloudflare:workers";
import { renderManifest } from "../src/images/provenance.ts";
import type { ManifestItem } from "../src/images/provenance.ts";
import { filenameKey } from "../src/images/filename.ts";
import { projectFileKey } from "../src/storage/objects.ts";

/** What a finished acquisition wants recorded. The bytes lie in R2 already, under their SHA-256. */
export interface ImageCommit {
  readonly filename: string;
  readonly sha256: string;
  readonly contentType: string;
  readonly bytes: number;
  /** As it stands in `image_sources.json`. */
  readonly item: ManifestItem;
  readonly origin: "search" | "manual";
}

export interface ImageRecord extends ImageCommit {
  /** Epoch milliseconds. */
  readonly committedAt: number;
}

/** Why a filename cannot be written; the search it belongs to must not even begin. */
export type CommitRefusal =
  | { readonly code: "filename-conflict"; readonly existing: string }
  | { readonly code: "manual-image-kept"; readonly existing: string };

const MANIFEST = "image_sources.json";
/** R2 takes one write a second per key. */
const MANIFEST_DELAY_MS = 1_000;

/**
 * The truth about one project's images. Bytes are immutable objects in R2; this says which of them a filename means and
 * where they came from, so the two can never disagree.
 */
export class ProjectObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
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
        committed_at INTEGER NOT NULL
      );
      CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    `);
  }

  /** Whether a search may write `filename`; asked before any provider is called. */
  refusalFor(filename: string, origin: ImageCommit["origin"]): CommitRefusal | undefined {
    const [row] = this.#sql.exec<{ filename: string; origin: string }>(
      "SELECT filename, origin FROM images WHERE filename_key = ?",
      filenameKey(filename),
    );
    if (row === undefined) return undefined;
    if (row.filename !== filename) return { code: "filename-conflict", existing: row.filename };
    if (row.origin === "manual" && origin === "search") return { code: "manual-image-kept", existing: row.filename };
    return undefined;
  }

  /** Records an image, or says why not and changes nothing. The last of several commits of one filename wins. */
  async commit(identity: ProjectIdentity, commit: ImageCommit, now: number): Promise<CommitRefusal | undefined> {
    const refusal = this.refusalFor(commit.filename, commit.origin);
    if (refusal !== undefined) return refusal;
    // A replaced entry moves to the end, as in the manifest's own rules.
    this.#sql.exec(
      `INSERT OR REPLACE INTO images
       VALUES (?, ?, (SELECT COALESCE(MAX(sequence), 0) + 1 FROM images), ?, ?, ?, ?, ?, ?)`,
      filenameKey(commit.filename),
      commit.filename,
      commit.sha256,
      commit.contentType,
      commit.bytes,
      commit.origin,
      JSON.stringify(commit.item),
      now,
    );
    this.#sql.exec("INSERT OR REPLACE INTO settings VALUES ('identity', ?)", JSON.stringify(identity));
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + MANIFEST_DELAY_MS);
    return undefined;
  }

  image(filename: string): ImageRecord | undefined {
    const [row] = this.#sql.exec<ImageRow>("SELECT * FROM images WHERE filename = ?", filename);
    return row === undefined ? undefined : toRecord(row);
  }

  /** Images in the order of the manifest, at most `limit` of them behind the sequence number `after`. */
  images(after: number, limit: number): { readonly images: readonly ImageRecord[]; readonly next: number | undefined } {
    const rows = this.#sql
      .exec<ImageRow>("SELECT * FROM images WHERE sequence > ? ORDER BY sequence LIMIT ?", after, limit + 1)
      .toArray();
    const page = rows.slice(0, limit);
    return { images: page.map(toRecord), next: rows.length > limit ? page.at(-1)!.sequence : undefined };
  }

  /** `image_sources.json` as it stands now. */
  manifest(): string {
    const rows = this.#sql.exec<ImageRow>("SELECT * FROM images ORDER BY sequence").toArray();
    const latest = Math.max(0, ...rows.map((row) => row.committed_at));
    return renderManifest(
      rows.map((row) => JSON.parse(row.item) as ManifestItem),
      latest,
    );
  }

  /** Writes the manifest to R2 beside the images, for whoever reads the bucket itself. */
  override async alarm(): Promise<void> {
    const [row] = this.#sql.exec<{ value: string }>("SELECT value FROM settings WHERE name = 'identity'");
    if (row === undefined) return;
    const { tenant, project } = JSON.parse(row.value) as ProjectIdentity;
    await this.env.BUCKET.put(projectFileKey(tenant, project, MANIFEST), this.manifest(), {
      httpMetadata: { contentType: "application/json" },
    });
  }
}

/** An object does not know its own name reliably, so callers say it. */
export interface ProjectIdentity {
  readonly tenant: string;
  readonly project: string;
}

interface ImageRow extends Record<string, SqlStorageValue> {
  filename: string;
  sequence: number;
  sha256: string;
  content_type: string;
  bytes: number;
  origin: ImageCommit["origin"];
  item: string;
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
    committedAt: row.committed_at,
  };
}
