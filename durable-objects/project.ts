import { DurableObject } from "cloudflare:workers";
import { renderCandidates } from "../src/images/candidates-file.ts";
import type {
  CommitRefusal,
  Fence,
  ImageCommit,
  ImageRecord,
  Origin,
  PreviewReport,
  ShownPage,
} from "../src/images/commit.ts";
import { candidateOf, type NewPool, type StoredPool } from "../src/images/stored-pool.ts";
import { projectFileKey } from "../src/storage/objects.ts";
import { deleteProjectFiles, leaveMarker } from "../src/storage/project-marker.ts";
import { type Claim, ProjectBatches } from "./project-batches.ts";
import { ProjectFences } from "./project-fences.ts";
import { ProjectImages } from "./project-images.ts";
import { ProjectPools } from "./project-pools.ts";

/** An object does not know its own name reliably, so callers say it. */
export interface ProjectIdentity {
  readonly tenant: string;
  readonly project: string;
}

/** A file of a project: rendered from its state, or an object of the tenant. */
export type ProjectFile =
  | { readonly kind: "json"; readonly body: string }
  | { readonly kind: "object"; readonly sha256: string };

const MANIFEST = "image_sources.json";
/** R2 takes one write a second per key, and a batch of a thousand rows should not print its manifest for every one. */
const MANIFEST_DELAY_MS = 15_000;

/**
 * The truth about one project. Bytes are immutable objects in R2; this says which of them a filename means and where
 * they came from, so the two can never disagree. Every method is one transaction.
 */
export class ProjectObject extends DurableObject<Env> {
  readonly #images: ProjectImages;
  readonly #pools: ProjectPools;
  readonly #fences: ProjectFences;
  readonly #batches: ProjectBatches;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#images = new ProjectImages(state.storage.sql);
    this.#pools = new ProjectPools(state.storage.sql);
    this.#fences = new ProjectFences(state.storage.sql);
    this.#batches = new ProjectBatches(state.storage.sql);
  }

  /** Whether `filename` may be written; asked before any provider is called. */
  refusalFor(filename: string, origin: Origin, fence?: Fence): CommitRefusal | undefined {
    return (
      this.#images.refusalFor(filename, origin) ??
      this.#pools.refusalFor(filename) ??
      this.#fences.pass(filename, fence)
    );
  }

  /** Records an image, or says why not and changes nothing. The last of several commits of one filename wins. */
  async commit(
    identity: ProjectIdentity,
    commit: ImageCommit,
    now: number,
    fence?: Fence,
  ): Promise<CommitRefusal | undefined> {
    const refusal = this.refusalFor(commit.filename, commit.origin, fence);
    if (refusal !== undefined) return refusal;
    this.#images.put(commit, now);
    this.#fences.stored(commit.filename, fence);
    if (commit.selected !== undefined) {
      this.#pools.select(commit.filename, commit.selected);
      // Somebody has chosen: a search that is still under way must not replace it.
      this.#fences.shutOut(commit.filename);
    }
    await this.#changed(identity, now);
    return undefined;
  }

  image(filename: string): ImageRecord | undefined {
    return this.#images.get(filename);
  }

  /** The image under the filename if an attempt of this batch stored it, `since` this one. */
  imageOf(filename: string, since: Fence): ImageRecord | undefined {
    return this.#fences.isStoredSince(filename, since) ? this.#images.get(filename) : undefined;
  }

  /** Images in the order of the manifest, at most `limit` of them behind the sequence number `after`. */
  images(after: number, limit: number): { images: ImageRecord[]; next: number | undefined } {
    return this.#images.page(after, limit);
  }

  /** Forgets an image and its candidates; says whether there was either. The bytes stay: other names may mean them. */
  async remove(identity: ProjectIdentity, filename: string, now: number): Promise<boolean> {
    const image = this.#images.remove(filename);
    const pool = this.#pools.remove(filename);
    if (image || pool) await this.#changed(identity, now);
    return image || pool;
  }

  pool(filename: string): StoredPool | undefined {
    return this.#pools.get(filename);
  }

  async startPool(
    identity: ProjectIdentity,
    pool: NewPool,
    now: number,
    fence?: Fence,
  ): Promise<StoredPool | CommitRefusal> {
    const refusal = this.refusalFor(pool.filename, "search", fence);
    if (refusal !== undefined) return refusal;
    const started = this.#pools.start(pool);
    await this.#changed(identity, now);
    return started;
  }

  /** A pool that was made elsewhere; the one that is here stays when it is of the same search. */
  async importPool(identity: ProjectIdentity, pool: NewPool, now: number): Promise<StoredPool | CommitRefusal> {
    const existing = this.#pools.get(pool.filename);
    if (existing?.filename === pool.filename && existing.searchedAt === pool.searchedAt) return existing;
    return this.startPool(identity, pool, now);
  }

  addPreviews(filename: string, report: PreviewReport, fence?: Fence): StoredPool | undefined {
    return this.#fences.pass(filename, fence) === undefined ? this.#pools.addPreviews(filename, report) : undefined;
  }

  showPage(filename: string, page: ShownPage, fence?: Fence): StoredPool | undefined {
    return this.#fences.pass(filename, fence) === undefined ? this.#pools.showPage(filename, page) : undefined;
  }

  /** Whether this is the first submission under an idempotency key, and what the first one was answered. */
  claimKey(key: string, fingerprint: string, now: number): Claim {
    return this.#batches.claim(key, fingerprint, now);
  }

  /** Makes a batch known to its project, and under the idempotency key that it was submitted with. */
  async addBatch(
    identity: ProjectIdentity,
    batch: string,
    filenames: readonly string[],
    key: string | undefined,
    now: number,
  ): Promise<void> {
    this.#batches.add(batch, filenames, key, now);
    await this.#changed(identity, now);
  }

  /** Forgets batches that were erased: whoever still works on a row of theirs comes too late. */
  removeBatches(ids: readonly string[]): void {
    for (const id of ids) {
      this.#batches.remove(id);
      this.#fences.endBatch(id);
    }
  }

  /** Forgets all images and pools, and what would be written to R2; says whether there was anything. */
  async clear(): Promise<boolean> {
    const [images, pools] = [this.#images.clear(), this.#pools.clear()];
    this.ctx.storage.kv.delete("identity");
    await this.ctx.storage.deleteAlarm();
    return images || pools;
  }

  /** Newest first, at most `limit` of them older than the sequence number `before`. */
  batches(
    before: number | undefined,
    limit: number,
  ): { batches: { id: string; created_at: number }[]; next: number | undefined } {
    return this.#batches.page(before, limit);
  }

  /** The newest batch that has a row of this filename. */
  batchOf(filename: string): string | undefined {
    return this.#batches.of(filename);
  }

  /** What a path under the project's `files/` means now. */
  file(path: string): ProjectFile | undefined {
    if (path === MANIFEST) return { kind: "json", body: this.#images.manifest() };
    const [, folder = "", rest = ""] = /^(images|candidates|\.review)\/(.+)$/.exec(path) ?? [];
    if (folder === "images") return asObject(this.#images.get(rest)?.sha256);
    if (folder === ".review") return asObject(this.#images.byStem(/^(.+)\.jpg$/.exec(rest)?.[1] ?? "")?.review);
    const [, stem = "", file = ""] = /^([^/]+)\/(.+)$/.exec(rest) ?? [];
    const pool = this.#pools.byStem(stem);
    if (pool === undefined) return undefined;
    if (file === "candidates.json") return { kind: "json", body: renderCandidates(pool) };
    if (file === "review_sheet.jpg") return asObject(pool.sheet);
    return asObject(candidateOf(pool, /^review\/(.+)$/.exec(file)?.[1] ?? "")?.shown.sha256);
  }

  /** Writes the manifest to R2 beside the images, for whoever reads the bucket itself, and when the project changed. */
  override async alarm(): Promise<void> {
    const changed = this.#change();
    if (changed === undefined) return;
    const { tenant, project } = changed;
    await this.env.BUCKET.put(projectFileKey(tenant, project, MANIFEST), this.#images.manifest(), {
      httpMetadata: { contentType: "application/json" },
    });
    await leaveMarker(this.env.BUCKET, tenant, project, changed.at ?? 0);
    // Deleted in the meantime: its files must not come back.
    if (this.#change() === undefined) await deleteProjectFiles(this.env.BUCKET, tenant, project);
  }

  /** The project is in its tenant's list from its first change on; later ones are told with the next manifest. */
  async #changed(identity: ProjectIdentity, now: number): Promise<void> {
    const isFirst = this.#change()?.at === undefined;
    this.ctx.storage.kv.put<Change>("identity", { ...identity, at: now });
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + MANIFEST_DELAY_MS);
    if (!isFirst) return;
    // Should it fail, the alarm does it again; what was stored is stored.
    await leaveMarker(this.env.BUCKET, identity.tenant, identity.project, now).catch(() => undefined);
  }

  #change(): Change | undefined {
    return this.ctx.storage.kv.get<Change>("identity");
  }
}

/** Who the project is, and when it changed last; objects from before it was noted do not have the time. */
interface Change extends ProjectIdentity {
  readonly at?: number;
}

function asObject(sha256: string | undefined): ProjectFile | undefined {
  return sha256 === undefined ? undefined : { kind: "object", sha256 };
}
