import { LIFECYCLE_RULES, type LifecycleRule, MULTIPART_RULE } from "./settings.ts";

/** What the account has, as far as it can be read: values of secrets cannot. */
export interface Account {
  readonly bucketExists: boolean;
  readonly rules: readonly AccountRule[];
  /** Names of the Worker's secrets. */
  readonly secrets: readonly string[];
}

export interface AccountRule {
  readonly name: string;
  readonly enabled: boolean;
  /** Empty for all. */
  readonly prefix: string;
  /** In wrangler's words: `Expire objects after 8 days`. */
  readonly action: string;
}

export const EMPTY_ACCOUNT: Account = { bucketExists: false, rules: [], secrets: [] };

/** Where the value of a secret comes from. */
export type Source = "secrets file" | "environment" | "generated" | "prompt" | ".sluice/api-keys.json";

export interface Wanted {
  readonly bucket: string;
  /** Values of wrangler.toml that are to change. */
  readonly variables: Readonly<Record<string, string>>;
  /** Secrets whose value is at hand or will be asked for. */
  readonly available: Readonly<Record<string, Source>>;
  /** Sent although the Worker has them. */
  readonly update: readonly string[];
  /** Left as they are, with what follows from that. */
  readonly notes: readonly string[];
}

export type Step =
  | { readonly kind: "set-variables"; readonly variables: Readonly<Record<string, string>> }
  | { readonly kind: "create-bucket"; readonly bucket: string }
  | { readonly kind: "expire"; readonly bucket: string; readonly rule: LifecycleRule; readonly replaces: boolean }
  | { readonly kind: "abort-uploads"; readonly bucket: string; readonly replaces: boolean }
  | { readonly kind: "put-secrets"; readonly secrets: readonly { readonly name: string; readonly source: Source }[] };

/** What is to be done, in order; empty when the account has everything. */
export function planSteps(wanted: Wanted, account: Account): Step[] {
  const { bucket } = wanted;
  const steps: Step[] = [];
  if (Object.keys(wanted.variables).length > 0) steps.push({ kind: "set-variables", variables: wanted.variables });
  if (!account.bucketExists) steps.push({ kind: "create-bucket", bucket });
  for (const rule of LIFECYCLE_RULES) {
    const there = account.rules.find(({ name }) => name === rule.name);
    if (!serves(there, rule)) steps.push({ kind: "expire", bucket, rule, replaces: there !== undefined });
  }
  // A bucket is born with such a rule, which is looked up once the bucket is there.
  if (account.bucketExists && !account.rules.some(abortsUploads)) {
    const replaces = account.rules.some(({ name }) => name === MULTIPART_RULE.name);
    steps.push({ kind: "abort-uploads", bucket, replaces });
  }
  const secrets = Object.entries(wanted.available)
    .filter(([name]) => !account.secrets.includes(name) || wanted.update.includes(name))
    .map(([name, source]) => ({ name, source }));
  if (secrets.length > 0) steps.push({ kind: "put-secrets", secrets });
  return steps;
}

export function abortsUploads(rule: AccountRule): boolean {
  return rule.enabled && rule.prefix === "" && /Abort incomplete multipart uploads/i.test(rule.action);
}

function serves(there: AccountRule | undefined, rule: LifecycleRule): boolean {
  if (there === undefined || !there.enabled || there.prefix !== rule.prefix) return false;
  return there.action === `Expire objects after ${rule.expireDays} days`;
}

/** The plan in words, one line each. No value of a secret is known here. */
export function describeStep(step: Step): string[] {
  switch (step.kind) {
    case "set-variables":
      return Object.entries(step.variables).map(
        ([name, value]) => `wrangler.toml: set ${name} = ${JSON.stringify(value)}`,
      );
    case "create-bucket":
      return [
        `R2: create the bucket ${step.bucket}`,
        `R2: have incomplete uploads aborted after ${MULTIPART_RULE.abortDays} day, unless the new bucket already has such a rule`,
      ];
    case "expire":
      return [
        `R2: ${verb(step.replaces)} the lifecycle rule ${step.rule.name}: ${step.rule.prefix} expires after ${step.rule.expireDays} days`,
      ];
    case "abort-uploads":
      return [
        `R2: ${verb(step.replaces)} the lifecycle rule ${MULTIPART_RULE.name}: incomplete uploads are aborted after ${MULTIPART_RULE.abortDays} day`,
      ];
    case "put-secrets": {
      const asked = step.secrets.filter(({ source }) => source === "prompt").map(({ name }) => name);
      const known = step.secrets.flatMap(({ name, source }) => (source === "prompt" ? [] : [{ name, source }]));
      return [
        ...known.map(({ name, source }) => `Secret: send ${name} (${SOURCE_WORDS[source]})`),
        ...(asked.length === 0 ? [] : [`Secrets: ask for each of these and send what is given: ${asked.join(", ")}`]),
      ];
    }
  }
}

const SOURCE_WORDS: Readonly<Record<Exclude<Source, "prompt">, string>> = {
  "secrets file": "from the secrets file",
  environment: "from the environment",
  generated: "made here, shown to nobody",
  ".sluice/api-keys.json": "SHA-256 digests from .sluice/api-keys.json",
};

function verb(replaces: boolean): string {
  return replaces ? "replace" : "add";
}
