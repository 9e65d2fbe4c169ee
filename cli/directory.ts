import { createHash } from "node:crypto";
import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkFilename, stemOf } from "../src/images/filename.ts";
import { sniffImage } from "../src/pixels/sniff.ts";
import { checkStructure } from "../src/pixels/structure.ts";
import type { SourceItem } from "./answers.ts";
import { CommandError, UsageError } from "./failure.ts";
import { readIfThere, replaceFile } from "./files.ts";
import {
  conflictOf,
  entryOf,
  isManual,
  type Manifest,
  type ManifestEntry,
  NO_MANIFEST,
  parseManifest,
  render,
  withEntry,
  withoutEntry,
} from "./manifest.ts";

/** A picture in the folder, looked at by its header. */
export interface LocalImage {
  readonly sha256: string;
  /** Pixels as they are shown. */
  readonly width: number;
  readonly height: number;
}

/**
 * One folder of images with its `image_sources.json`: the truth about what a project has. The manifest is read when the
 * folder is opened, so that a damaged one stops everything before any network, and again whenever an entry is written,
 * so that nobody's change is lost.
 */
export class Directory {
  readonly path: string;
  readonly manifestPath: string;
  #manifest: Manifest;

  constructor(path: string, manifestPath: string, manifest: Manifest) {
    this.path = path;
    this.manifestPath = manifestPath;
    this.#manifest = manifest;
  }

  static async open(folder: string, manifestPath?: string): Promise<Directory> {
    const manifest = manifestPath ?? join(folder, "image_sources.json");
    const read = await readManifest(manifest);
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw new CommandError(`The folder ${folder} cannot be made.`, 1, { cause: error });
    });
    return new Directory(await realpath(folder), manifest, read);
  }

  entry(filename: string): ManifestEntry | undefined {
    return entryOf(this.#manifest, filename);
  }

  pathOf(filename: string): string {
    return join(this.path, filename);
  }

  /** Of a candidates' file, or of their folder. */
  candidatesPath(filename: string, ...rest: string[]): string {
    return join(this.path, "candidates", stemOf(filename), ...rest);
  }

  /** A name that cannot be used is a `UsageError`; one that another entry stands in the way of, a `CommandError`. */
  checkFilename(filename: string): void {
    const verdict = checkFilename(filename);
    if (!verdict.ok) throw new UsageError(`--filename ${filename}: ${verdict.reason}.`);
    const conflict = this.conflictOf(filename);
    if (conflict !== undefined) throw new CommandError(conflict);
  }

  conflictOf(filename: string): string | undefined {
    const existing = conflictOf(this.#manifest, filename)?.filename;
    return existing === undefined
      ? undefined
      : `${this.manifestPath} has ${existing}, which differs from ${filename} only in its case or extension.`;
  }

  /** Whether a picture that a person chose lies here: no search replaces it. */
  async keepsManual(filename: string): Promise<boolean> {
    return isManual(this.entry(filename)) && typeof (await this.image(filename)) === "object";
  }

  /** The file of this name: undefined where there is none, or a reason why it is no picture. */
  async image(filename: string): Promise<LocalImage | string | undefined> {
    const bytes = await readIfThere(this.pathOf(filename));
    if (bytes === undefined) return undefined;
    const image = sniffImage(bytes);
    if (image.kind === "refused") return image.detail;
    const broken = checkStructure(bytes, image);
    if (broken !== undefined) return broken.detail;
    return { sha256: sha256(bytes), width: image.width, height: image.height };
  }

  /**
   * Puts a picture, its rendition for review and its entry in place. Whenever this is cut off, the entry that is left
   * belongs to the picture that is left, or there is none.
   */
  async saveImage(item: SourceItem, bytes: Buffer, review: Buffer | undefined): Promise<void> {
    const { filename } = item;
    this.#manifest = await readManifest(this.manifestPath);
    const conflict = this.conflictOf(filename);
    if (conflict !== undefined) throw new CommandError(conflict);
    const before = this.entry(filename) === undefined ? undefined : await readIfThere(this.pathOf(filename));
    if (before !== undefined && !before.equals(bytes)) {
      await this.#writeManifest(withoutEntry(this.#manifest, filename));
    }
    await replaceFile(this.pathOf(filename), bytes);
    await this.#writeManifest(withEntry(this.#manifest, item, new Date()));
    const reviewPath = join(this.path, ".review", `${stemOf(filename)}.jpg`);
    if (review === undefined) await rm(reviewPath, { force: true });
    else await replaceFile(reviewPath, review);
  }

  async #writeManifest(manifest: Manifest): Promise<void> {
    await replaceFile(this.manifestPath, render(manifest));
    this.#manifest = manifest;
  }
}

async function readManifest(path: string): Promise<Manifest> {
  const bytes = await readIfThere(path);
  if (bytes === undefined) return NO_MANIFEST;
  try {
    return parseManifest(bytes.toString("utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} is left as it is, and nothing was searched: ${why}.`, 1, { cause: error });
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
