import { type KeyList, digestOf, secretValue, writeKeyList } from "./api-keys.ts";
import { abortsUploads, describeStep, type Step } from "./plan.ts";
import { MULTIPART_RULE } from "./settings.ts";
import type { Wrangler } from "./wrangler.ts";

export interface Files {
  setVariables(variables: Readonly<Record<string, string>>): Promise<void>;
  readonly keysFile: string;
  /** What API_KEYS is to be, and the file's content until now. */
  readonly keys: KeyList | undefined;
  readonly keysBefore: KeyList | undefined;
}

const RULES = ["r2", "bucket", "lifecycle"];

/** Does the steps in order. Stops at the first that fails; what was done is found done by the next run. */
export class Execution {
  readonly #wrangler: Wrangler;
  readonly #print: (line: string) => void;
  readonly #files: Files;

  constructor(wrangler: Wrangler, print: (line: string) => void, files: Files) {
    this.#wrangler = wrangler;
    this.#print = print;
    this.#files = files;
  }

  /** `values` of secrets by name; one that is missing was left out at its prompt. Throws WranglerError. */
  async run(steps: readonly Step[], values: Readonly<Record<string, string>>): Promise<void> {
    for (const step of steps) {
      if (step.kind === "put-secrets")
        await this.#putSecrets(
          step.secrets.map(({ name }) => name),
          values,
        );
      else {
        await this.#do(step);
        for (const line of describeStep(step)) this.#print(`done: ${line}`);
      }
    }
  }

  async #do(step: Exclude<Step, { kind: "put-secrets" }>): Promise<void> {
    switch (step.kind) {
      case "set-variables":
        return this.#files.setVariables(step.variables);
      case "create-bucket":
        await this.#wrangler.must(["r2", "bucket", "create", step.bucket]);
        return this.#abortUploadsUnlessDone(step.bucket);
      case "expire": {
        const { name, prefix, expireDays } = step.rule;
        if (step.replaces) await this.#removeRule(step.bucket, name);
        return this.#wrangler.must([...RULES, "add", step.bucket, name, prefix, "--expire-days", String(expireDays)]);
      }
      case "abort-uploads":
        if (step.replaces) await this.#removeRule(step.bucket, MULTIPART_RULE.name);
        return this.#addAbortRule(step.bucket);
    }
  }

  /** All in one request: the Worker gets one new version, and either all of them or none. */
  async #putSecrets(names: readonly string[], values: Readonly<Record<string, string>>): Promise<void> {
    const { keys, keysBefore, keysFile } = this.#files;
    const body: Record<string, string> = {};
    for (const name of names) {
      const value = name === "API_KEYS" && keys !== undefined ? secretValue(keys) : values[name];
      if (value !== undefined) body[name] = value;
    }
    const sent = Object.keys(body);
    if (sent.length === 0) return;
    const sendsKeys = keys !== undefined && sent.includes("API_KEYS");
    // First the file: a key that the Worker knows must never be missing here.
    if (sendsKeys) await writeKeyList(keysFile, keys);
    try {
      await this.#wrangler.must(["secret", "bulk"], JSON.stringify(body));
    } catch (error) {
      // A new key was not shown yet, so it is nobody's.
      if (sendsKeys) await writeKeyList(keysFile, keysBefore ?? { keys: [] });
      throw error;
    }
    if (sendsKeys) await writeKeyList(keysFile, { ...keys, sent: digestOf(secretValue(keys)) });
    this.#print(`done: Secrets: sent ${sent.join(", ")}`);
  }

  async #abortUploadsUnlessDone(bucket: string): Promise<void> {
    const rules = (await this.#wrangler.rules(bucket)) ?? [];
    if (!rules.some(abortsUploads)) await this.#addAbortRule(bucket);
  }

  #addAbortRule(bucket: string): Promise<void> {
    const days = String(MULTIPART_RULE.abortDays);
    return this.#wrangler.must([...RULES, "add", bucket, MULTIPART_RULE.name, "--abort-multipart-days", days]);
  }

  #removeRule(bucket: string, name: string): Promise<void> {
    return this.#wrangler.must([...RULES, "remove", bucket, "--name", name]);
  }
}
