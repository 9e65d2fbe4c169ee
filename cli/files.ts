import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { CommandError } from "./failure.ts";

/** Undefined where there is no such file; any other difficulty is a `CommandError`. */
export async function readIfThere(path: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw new CommandError(`${path} cannot be read: ${reasonOf(error)}.`, 1, { cause: error });
  }
}

/** Replaces a file as a whole, or leaves it as it was. Folders on the way are made. */
export async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, content);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${reasonOf(error)}.`, 1, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return codeOf(error) ?? String(error);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
