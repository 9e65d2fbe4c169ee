/** `npm run audit`: the lockfile against the rules in `audit/rules.ts`, and against advisories where the registry has them. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../local/folders.ts";
import { type AuditRun, judgeAdvisories } from "./audit/advisories.ts";
import { deployed, type Lockfile, lockfileFaults } from "./audit/lockfile.ts";
import { RULES } from "./audit/rules.ts";

const TIME_LIMIT_MS = 60_000;

const lockfile = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as Lockfile;
const faults = lockfileFaults(lockfile, RULES);
for (const fault of faults) console.error(`package-lock.json: ${fault}.`);
const count = Object.keys(lockfile.packages).length - 1;
if (faults.length === 0) {
  console.log(`${count} packages are locked by their bytes; ${deployed(lockfile, RULES).length} can be deployed.`);
}
const verdict = judgeAdvisories(await npmAudit());
(verdict.passes ? console.log : console.error)(verdict.text);
process.exitCode = faults.length > 0 || !verdict.passes ? 1 : 0;

function npmAudit(): Promise<AuditRun> {
  const options = { cwd: ROOT, timeout: TIME_LIMIT_MS, maxBuffer: 32 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile("npm", ["audit", "--omit=dev", "--audit-level=high", "--json"], options, (error, stdout, stderr) => {
      // Ended by the time limit: as good as no network.
      if (error?.killed) return resolve({ exitCode: 1, output: "ETIMEDOUT" });
      resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), output: stdout.trim() || stderr });
    });
  });
}
