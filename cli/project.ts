import { createHash } from "node:crypto";
import { stemOf } from "../src/images/filename.ts";
import { type Candidate, type CandidatePage, imageSchema, type StoredImage } from "./answers.ts";
import type { Client } from "./client.ts";
import { type Directory, sha256 } from "./directory.ts";
import { CommandError } from "./failure.ts";

/** Always the same for a folder, so that its candidate pools are found again; `machine` is empty for a service of one's own. */
export function projectName(folder: string, machine: string): string {
  return `dir-${createHash("sha256").update(`${machine}\0${folder}`).digest("hex").slice(0, 40)}`;
}

/** The service's project behind one folder. */
export class Project {
  readonly client: Client;
  readonly path: string;
  readonly #name: string;

  constructor(client: Client, name: string) {
    this.client = client;
    this.#name = name;
    this.path = `/v1/projects/${name}`;
  }

  /** The same project, asked under another signal. */
  within(signal: AbortSignal): Project {
    return new Project(this.client.withSignal(signal), this.#name);
  }

  imagePath(filename: string, action = ""): string {
    return `${this.path}/images/${encodeURIComponent(filename)}${action}`;
  }

  image(filename: string): Promise<StoredImage> {
    return this.client.json("GET", this.imagePath(filename), imageSchema);
  }

  /** A file of the project; undefined where there is none. */
  file(...parts: string[]): Promise<Buffer | undefined> {
    return this.client.file(`${this.path}/files/${parts.map(encodeURIComponent).join("/")}`);
  }

  /** The bytes of an image, exactly those that the service names. */
  async imageBytes({ item, sha256: expected }: StoredImage): Promise<Buffer> {
    const bytes = await this.file("images", item.filename);
    if (bytes === undefined || sha256(bytes) !== expected) {
      throw new CommandError(`${item.filename} could not be fetched whole. Nothing was changed.`);
    }
    return bytes;
  }

  /** Brings an image that the service has into the folder; gives its entry back. */
  async bringImage(image: StoredImage, filename: string, directory: Directory): Promise<void> {
    if (image.item.filename !== filename)
      throw new CommandError(`The service answered with another file than ${filename}.`);
    const bytes = await this.imageBytes(image);
    const review = await this.file(".review", `${stemOf(filename)}.jpg`);
    await directory.saveImage(image.item, bytes, review);
  }
}

/** The candidates that a page shows. */
export function onPage(page: Pick<CandidatePage, "candidates" | "candidate_page" | "page_size">): Candidate[] {
  const { candidates, candidate_page: number, page_size: size } = page;
  // 0 is the whole pool, in pages of 64.
  const length = size === 0 ? 64 : size;
  return candidates.slice((number - 1) * length, number * length);
}
