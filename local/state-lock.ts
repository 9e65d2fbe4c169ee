import { execFile } from "node:child_process";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

/** A state folder that is ours until `release`. */
export interface StateLock {
  release(): Promise<void>;
  /** Notes who else holds the folder's files open: should this process be killed, the next one ends that one first. */
  noteWorker(pid: number): Promise<void>;
}

/**
 * Makes sure that one process at a time uses a state folder: two of them get SQLITE_BUSY. A lock whose process is gone is
 * taken over, and the workerd that it left behind is ended. Throws when a running process has it.
 */
export async function lockState(folder: string): Promise<StateLock> {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, "lock");
  const own = `${lock}.${process.pid}`;
  // Linked in place with its content: nobody sees a lock that does not say whose it is.
  await writeFile(own, String(process.pid));
  try {
    while (!(await linked(own, lock))) await takeOver(folder, lock);
  } finally {
    await rm(own, { force: true });
  }
  return {
    release: () => rm(lock, { force: true }),
    noteWorker: async (pid) => {
      await writeFile(own, `${process.pid} ${pid}`);
      await rename(own, lock);
    },
  };
}

async function linked(own: string, lock: string): Promise<boolean> {
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function takeOver(folder: string, lock: string): Promise<void> {
  refuseIfRunning(folder, await pidsIn(lock));
  // Who moves it away has it to himself; it may be a newer one by now.
  const taken = `${lock}.taken.${process.pid}`;
  try {
    await rename(lock, taken);
  } catch (error) {
    if (isCode(error, "ENOENT")) return;
    throw error;
  }
  const [owner, worker] = await pidsIn(taken);
  if (isRunning(owner)) {
    await linked(taken, lock);
    await rm(taken, { force: true });
    refuseIfRunning(folder, [owner]);
  }
  await rm(taken, { force: true });
  if (worker !== undefined && isRunning(worker) && (await isWorkerd(worker))) await end(worker);
}

/** Returns once the process is gone, and with it its hold on the files; a zombie holds none. */
async function end(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  for (let looks = 0; looks < 40 && isRunning(pid); looks++) await wait(25);
}

function refuseIfRunning(folder: string, [owner]: readonly (number | undefined)[]): void {
  if (isRunning(owner)) throw new Error(`The state folder ${folder} is in use by process ${owner}.`);
}

async function pidsIn(lock: string): Promise<number[]> {
  const text = await readFile(lock, "utf8").catch(() => "");
  return text.split(" ").map(Number);
}

/** Process ids are given again: what is ended must be what was left behind. */
async function isWorkerd(pid: number): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8")).includes("workerd");
  } catch {
    // Not every system has /proc.
  }
  try {
    return (await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)])).stdout.includes("workerd");
  } catch {
    return false;
  }
}

function isRunning(pid: number | undefined): pid is number {
  if (pid === undefined || !Number.isInteger(pid) || pid <= 0) return false;
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
