/** What `npm audit --json` gave: how it ended, and what it wrote. */
export interface AuditRun {
  readonly exitCode: number;
  readonly output: string;
}

export interface AdvisoryVerdict {
  readonly passes: boolean;
  /** For whoever reads the log. */
  readonly text: string;
}

const COUNTED = ["high", "critical"] as const;

/**
 * Known vulnerabilities of what is deployed. A registry that cannot be asked is said plainly and passes: the lockfile's
 * own rules hold without it.
 */
export function judgeAdvisories({ exitCode, output }: AuditRun): AdvisoryVerdict {
  const report = parsed(output);
  const counts = report?.metadata?.vulnerabilities;
  if (counts !== undefined) {
    const serious = COUNTED.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);
    if (serious === 0) return { passes: true, text: "No known vulnerability of high or critical severity." };
    const names = Object.entries(report?.vulnerabilities ?? {})
      .filter(([, { severity }]) => COUNTED.some((each) => each === severity))
      .map(([name, { severity }]) => `${name} (${severity})`);
    return { passes: false, text: `Known vulnerabilities: ${names.join(", ")}. \`npm audit\` says more.` };
  }
  const said = report?.message ?? output;
  if (/\b(?:404|405|501)\b/.test(said)) {
    return { passes: true, text: "Advisories were not checked: the registry has no audit endpoint." };
  }
  if (/ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|network/i.test(said)) {
    return { passes: true, text: "Advisories were not checked: the registry could not be reached." };
  }
  return { passes: false, text: `npm audit ended with ${exitCode} and no report: ${said.slice(0, 300)}` };
}

interface Report {
  readonly message?: string;
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
}

function parsed(output: string): Report | undefined {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return undefined;
  }
}
