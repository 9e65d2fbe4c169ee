import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Makes sure that one process at a time uses a state folder: two of them get SQLITE_BUSY. Returns the release.
 * A lock whose process is gone is taken over.
 */
export async function lockState(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, "lock");
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: "wx" });
      return () => rm(lock, { force: true });
    } catch (error) {
      if (!isCode(error, "EEXIST")) throw error;
    }
    const owner = Number(await readFile(lock, "utf8").catch(() => ""));
    if (isRunning(owner)) throw new Error(`The state folder ${folder} is in use by process ${owner}.`);
    await rm(lock, { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return isCode(error, "EPERM");
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
