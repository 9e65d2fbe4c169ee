import { describe, expect, it } from "vitest";
import { digestOf, type KeyList, secretValue } from "../../scripts/setup/api-keys.ts";
import { readOptions } from "../../scripts/setup/options.ts";
import { type Account, type AccountRule, EMPTY_ACCOUNT, planSteps, type Wanted } from "../../scripts/setup/plan.ts";
import { checked, secretsOfEnvironment } from "../../scripts/setup/secrets.ts";
import { UsageError } from "../../scripts/setup/settings.ts";
import { withVariables } from "../../scripts/setup/variables.ts";
import { type Local, wantedOf } from "../../scripts/setup/wanted.ts";
import { adviceFor, parseRules } from "../../scripts/setup/wrangler.ts";

const WANTED: Wanted = {
  bucket: "sluice",
  variables: {},
  available: { SIGNING_SECRET: "generated", SERPAPI_API_KEY: "environment" },
  update: [],
  notes: [],
};
const CACHE: AccountRule = {
  name: "sluice-cache",
  enabled: true,
  prefix: "cache/",
  action: "Expire objects after 8 days",
};
const UPLOADS: AccountRule = {
  name: "Default Multipart Abort Rule",
  enabled: true,
  prefix: "",
  action: "Abort incomplete multipart uploads after 7 days",
};
const COMPLETE: Account = {
  bucketExists: true,
  rules: [UPLOADS, CACHE],
  secrets: ["SIGNING_SECRET", "SERPAPI_API_KEY", "API_KEYS"],
};
const KEYS: KeyList = { keys: [{ sha256: "a".repeat(64), tenant: "acme" }] };
const SENT: KeyList = { ...KEYS, sent: digestOf(secretValue(KEYS)) };

const kinds = (wanted: Wanted, account: Account) => planSteps(wanted, account).map(({ kind }) => kind);

describe("the plan", () => {
  it("has everything for an empty account, the bucket before its rules", () => {
    expect(kinds(WANTED, EMPTY_ACCOUNT)).toEqual(["create-bucket", "expire", "put-secrets"]);
  });

  it("has nothing for a complete account", () => {
    expect(planSteps(WANTED, COMPLETE)).toEqual([]);
  });

  it("has what is missing, and only that", () => {
    expect(kinds(WANTED, { ...COMPLETE, rules: [UPLOADS] })).toEqual(["expire"]);
    expect(kinds(WANTED, { ...COMPLETE, rules: [CACHE] })).toEqual(["abort-uploads"]);
    expect(planSteps(WANTED, { ...COMPLETE, secrets: ["SIGNING_SECRET"] })).toEqual([
      { kind: "put-secrets", secrets: [{ name: "SERPAPI_API_KEY", source: "environment" }] },
    ]);
  });

  it("replaces a rule of ours that says something else, and leaves those of others", () => {
    const other = { ...UPLOADS, name: "mine", action: "Expire objects after 400 days" };
    for (const wrong of [{ action: "Expire objects after 90 days" }, { enabled: false }, { prefix: "caches/" }]) {
      const steps = planSteps(WANTED, { ...COMPLETE, rules: [other, UPLOADS, { ...CACHE, ...wrong }] });
      expect(steps).toMatchObject([{ kind: "expire", replaces: true }]);
    }
  });

  it("does not count a rule for some uploads as one for all", () => {
    expect(kinds(WANTED, { ...COMPLETE, rules: [CACHE, { ...UPLOADS, prefix: "tenants/" }] })).toEqual([
      "abort-uploads",
    ]);
    expect(kinds(WANTED, { ...COMPLETE, rules: [CACHE, { ...UPLOADS, enabled: false }] })).toEqual(["abort-uploads"]);
  });

  it("sends a secret again when it is named", () => {
    const steps = planSteps({ ...WANTED, update: ["SERPAPI_API_KEY"] }, COMPLETE);
    expect(steps).toEqual([{ kind: "put-secrets", secrets: [{ name: "SERPAPI_API_KEY", source: "environment" }] }]);
  });
});

describe("what is wanted", () => {
  const local: Local = { bucket: "sluice", variables: {}, given: {}, keys: undefined, canAsk: false };
  const wanted = (argv: string[], more: Partial<Local>, account: Account) =>
    wantedOf(readOptions(argv), { ...local, ...more }, account);

  it("sends API keys when the list has changed, and not again", () => {
    expect(wanted([], { keys: KEYS }, EMPTY_ACCOUNT).update).toContain("API_KEYS");
    expect(wanted([], { keys: SENT }, COMPLETE).update).toEqual([]);
    expect(wanted([], { keys: { ...SENT, keys: [] } }, COMPLETE).update).toContain("API_KEYS");
  });

  it("refuses to overwrite keys that it cannot know", () => {
    expect(() => wanted([], { keys: KEYS }, COMPLETE)).toThrow("--replace-keys");
    expect(wanted(["--replace-keys"], { keys: KEYS }, COMPLETE).update).toContain("API_KEYS");
  });

  it("asks for providers' keys the first time, later for what is named", () => {
    const first = wanted([], { canAsk: true }, EMPTY_ACCOUNT);
    expect(first.available).toMatchObject({ PEXELS_API_KEY: "prompt", GEMINI_API_KEY: "prompt" });
    expect(first.available["SEARXNG_URL"]).toBeUndefined();
    expect(Object.values(wanted([], { canAsk: true }, COMPLETE).available)).not.toContain("prompt");
    expect(wanted(["--update", "PEXELS_API_KEY"], { canAsk: true }, COMPLETE).available["PEXELS_API_KEY"]).toBe(
      "prompt",
    );
  });

  it("says which value is missing when nobody can be asked", () => {
    expect(() => wanted(["--update", "PEXELS_API_KEY"], {}, COMPLETE)).toThrow("--secrets-file");
    expect(() => wanted(["--update", "API_KEYS"], {}, COMPLETE)).toThrow("--tenant");
  });

  it("warns of what will not work, and of links that end", () => {
    const notes = (argv: string[], account: Account) => wanted(argv, {}, account).notes.join("\n");
    expect(notes([], EMPTY_ACCOUNT)).toMatch(/401[^]*PUBLIC_URL[^]*CONTACT[^]*No provider's key/);
    expect(notes(["--public-url", "https://s.example", "--contact", "x"], COMPLETE)).toBe("");
    expect(notes(["--update", "SIGNING_SECRET"], COMPLETE)).toContain("SIGNING_SECRET_PREVIOUS");
  });
});

describe("what is read and written", () => {
  it("reads wrangler's list of lifecycle rules", () => {
    const rule = (name: string, prefix: string, action: string) =>
      `name:     ${name}\nenabled:  Yes\nprefix:   ${prefix}\naction:   ${action}`;
    const output = `Listing lifecycle rules for bucket 'sluice'...\n${rule(UPLOADS.name, "(all prefixes)", UPLOADS.action)}\n\n${rule(CACHE.name, CACHE.prefix, CACHE.action)}\n`;
    expect(parseRules(output)).toEqual([UPLOADS, CACHE]);
    expect(parseRules("There are no lifecycle rules for bucket 'sluice'.")).toEqual([]);
  });

  it("changes one line of wrangler.toml, in its section only", () => {
    const toml = '[vars]\n# A comment\nCONTACT = ""\n\n[other]\nPUBLIC_URL = "kept"\n';
    expect(withVariables(toml, { PUBLIC_URL: "https://s.example", CONTACT: "c" })).toBe(
      '[vars]\nPUBLIC_URL = "https://s.example"\n# A comment\nCONTACT = "c"\n\n[other]\nPUBLIC_URL = "kept"\n',
    );
    expect(() => withVariables("name = 'x'\n", { CONTACT: "c" })).toThrow("[vars]");
  });

  it("refuses values that the Worker could not use, without showing them", () => {
    for (const [name, value] of [
      ["SIGNING_SECRET", "short-one"],
      ["WEBHOOKS", "{not json"],
      ["SERPAPI_API_KEY", "x".repeat(6_000)],
    ] as const) {
      expect(() => checked(name, value)).toThrow(name);
      expect(() => checked(name, value)).not.toThrow(value);
    }
    expect(
      Object.keys(secretsOfEnvironment({ PEXELS_API_KEY: "p", API_KEYS: "[]", HOME: "/h", BRAVE_API_KEY: " " })),
    ).toEqual(["PEXELS_API_KEY"]);
  });

  it("refuses options that mean nothing", () => {
    for (const argv of [
      ["--scopes", "search"],
      ["--tenant", "a", "--scopes", "root"],
      ["--tenant", "a", "--burst", "0"],
      ["--update", "PUBLIC_URL"],
      ["--public-url", "http://s.example"],
      ["--public-url", "https://s.example/path"],
      ["--nonsense"],
    ]) {
      expect(() => readOptions(argv)).toThrow(UsageError);
    }
  });

  it("knows what to do about wrangler's errors", () => {
    expect(adviceFor("Please enable R2 through the Cloudflare Dashboard. [code: 10042]")).toContain("Switch R2 on");
    expect(adviceFor("Authentication error [code: 10000]")).toContain("permission");
    expect(adviceFor("More than one account available but unable to select one")).toContain("CLOUDFLARE_ACCOUNT_ID");
    expect(adviceFor("Unable to resolve Cloudflare's API hostname")).toContain("not reached");
    expect(adviceFor("Something new")).toBeUndefined();
  });
});
