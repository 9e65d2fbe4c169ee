import { readdir, readFile } from "node:fs/promises";

const KIB = 1024;

/** Resident bytes of the processes of this name in a process group; Linux only (proc(5): stat, status). */
export async function residentBytes(group: number, name: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    // Processes come and go while the folder is read.
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    const [, comm, pgrp] = /^\d+ \((.*)\) \S \d+ (\d+) /s.exec(stat) ?? [];
    if (comm !== name || Number(pgrp) !== group) continue;
    const status = await readFile(`/proc/${entry}/status`, "utf8").catch(() => "");
    total += Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * KIB;
  }
  return total;
}
