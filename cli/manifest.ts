/** `image_sources.json`: reading what is there, and putting one entry into it. Pure. */
import { filenameKey, stemOf } from "../src/images/filename.ts";
import type { SourceItem } from "./answers.ts";

/** As it stands in the file, unknown members and all. */
export interface Manifest {
  readonly items: readonly ManifestEntry[];
  readonly [member: string]: unknown;
}

export interface ManifestEntry {
  readonly filename: string;
  readonly [member: string]: unknown;
}

const VERIFICATION = "provider metadata used; manual review recommended for external delivery";

export const NO_MANIFEST: Manifest = { items: [] };

/** Throws an `Error` whose message says what is wrong with the file. */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  if (!isObject(value)) throw new Error("it is not a JSON object");
  const { items } = value;
  if (!Array.isArray(items)) throw new Error("its `items` is not a list");
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) throw new Error(`item ${index} is not an object`);
    const { filename } = item;
    if (typeof filename !== "string" || filename === "") throw new Error(`item ${index} has no filename`);
    const key = filenameKey(filename);
    if (seen.has(key)) throw new Error(`${filename} is in it twice, ignoring case`);
    seen.add(key);
  }
  return value as unknown as Manifest;
}

export function entryOf(manifest: Manifest, filename: string): ManifestEntry | undefined {
  return manifest.items.find((item) => item.filename === filename);
}

/** Whether a person chose this picture: then no search replaces it. */
export function isManual(entry: ManifestEntry | undefined): boolean {
  return entry?.["license_tier"] === "manual";
}

/** An entry whose filename some file system, or the candidates' folder, takes for this one. */
export function conflictOf(manifest: Manifest, filename: string): ManifestEntry | undefined {
  const stem = filenameKey(stemOf(filename));
  return manifest.items.find((item) => item.filename !== filename && filenameKey(stemOf(item.filename)) === stem);
}

/** The manifest with an entry replaced or added: at its end, as the format has it. Everything else stays as it is. */
export function withEntry(manifest: Manifest, item: SourceItem, now: Date): Manifest {
  return {
    ...withoutEntry(manifest, item.filename),
    items: [...withoutEntry(manifest, item.filename).items, item],
    generated_at: now.toISOString().replace("Z", "000Z"),
    license_verification: manifest["license_verification"] ?? VERIFICATION,
  };
}

export function withoutEntry(manifest: Manifest, filename: string): Manifest {
  return { ...manifest, items: manifest.items.filter((item) => item.filename !== filename) };
}

/** As it stands on disk. */
export function render(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
