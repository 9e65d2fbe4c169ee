import { DurableObject } from "cloudflare:workers";
import type { CommitRefusal, ImageCommit, ImageRecord } from "../src/images/commit.ts";
import { projectFileKey } from "../src/storage/objects.ts";
import { ProjectImages } from "./project-images.ts";

/** An object does not know its own name reliably, so callers say it. */
export interface ProjectIdentity {
  readonly tenant: string;
  readonly project: string;
}

const MANIFEST = "image_sources.json";
/** R2 takes one write a second per key. */
const MANIFEST_DELAY_MS = 1_000;

/**
 * The truth about one project. Bytes are immutable objects in R2; this says which of them a filename means and where
 * they came from, so the two can never disagree. Every method is one transaction.
 */
export class ProjectObject extends DurableObject<Env> {
  readonly #images: ProjectImages;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#images = new ProjectImages(state.storage.sql);
  }

  /** Whether `filename` may be written; asked before any provider is called. */
  refusalFor(filename: string, origin: ImageCommit["origin"]): CommitRefusal | undefined {
    return this.#images.refusalFor(filename, origin);
  }

  /** Records an image, or says why not and changes nothing. The last of several commits of one filename wins. */
  async commit(identity: ProjectIdentity, commit: ImageCommit, now: number): Promise<CommitRefusal | undefined> {
    const refusal = this.#images.refusalFor(commit.filename, commit.origin);
    if (refusal !== undefined) return refusal;
    this.#images.put(commit, now);
    await this.#scheduleManifest(identity, now);
    return undefined;
  }

  image(filename: string): ImageRecord | undefined {
    return this.#images.get(filename);
  }

  /** Images in the order of the manifest, at most `limit` of them behind the sequence number `after`. */
  images(after: number, limit: number): { images: ImageRecord[]; next: number | undefined } {
    return this.#images.page(after, limit);
  }

  /** `image_sources.json` as it stands now. */
  manifest(): string {
    return this.#images.manifest();
  }

  /** Writes the manifest to R2 beside the images, for whoever reads the bucket itself. */
  override async alarm(): Promise<void> {
    const identity = await this.ctx.storage.get<ProjectIdentity>("identity");
    if (identity === undefined) return;
    await this.env.BUCKET.put(projectFileKey(identity.tenant, identity.project, MANIFEST), this.manifest(), {
      httpMetadata: { contentType: "application/json" },
    });
  }

  async #scheduleManifest(identity: ProjectIdentity, now: number): Promise<void> {
    await this.ctx.storage.put("identity", identity);
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + MANIFEST_DELAY_MS);
  }
}
