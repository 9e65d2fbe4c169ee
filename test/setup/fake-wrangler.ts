/**
 * Stands in for wrangler in tests: keeps an account in a file, answers as wrangler 4 does, and writes down how it was
 * called. Environment: FAKE_ACCOUNT (the file).
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import type { FakeAccount, FakeRule } from "./surroundings.ts";

const ABORT = "Abort incomplete multipart uploads after 7 days";

const file = process.env["FAKE_ACCOUNT"]!;
const account = JSON.parse(readFileSync(file, "utf8")) as FakeAccount;
const argv = process.argv.slice(2);
const stdin = readFileSync(0, "utf8");
appendFileSync(`${file}.calls`, `${JSON.stringify({ argv, stdin, env: process.env })}\n`);

const command = argv.join(" ");
const failing = Object.entries(account.failures).find(([begin]) => command.startsWith(begin));
if (failing !== undefined) fail(failing[1].replaceAll("{stdin}", stdin));
else answer();
writeFileSync(file, JSON.stringify(account));

function answer(): void {
  const [, , , action, bucket = "", name = ""] = argv;
  const rules = account.buckets[bucket];
  if (command === "whoami --json") {
    if (account.accounts.length === 0) return fail("", '{\n  "loggedIn": false\n}');
    return console.log(JSON.stringify({ loggedIn: true, authType: "OAuth Token", accounts: account.accounts }));
  }
  if (command.startsWith("r2 bucket create ")) {
    account.buckets[argv[3]!] = [
      { name: "Default Multipart Abort Rule", enabled: "Yes", prefix: "(all prefixes)", action: ABORT },
    ];
    return console.log(`Creating bucket '${argv[3]}'...\n✅ Created bucket '${argv[3]}' with default storage class`);
  }
  if (command.startsWith("r2 bucket lifecycle ")) {
    if (rules === undefined) return fail("The specified bucket does not exist. [code: 10006]");
    if (action === "list") return printRules(bucket, rules);
    if (action === "remove") {
      account.buckets[bucket] = rules.filter((rule) => rule.name !== flag("--name"));
      return console.log(`Lifecycle rule '${flag("--name")}' removed from bucket '${bucket}'.`);
    }
    if (rules.some((rule) => rule.name === name)) return fail("The rule id is not unique. [code: 10062]");
    rules.push(newRule(name));
    return console.log(`✨ Added lifecycle rule '${name}' to bucket '${bucket}'.`);
  }
  if (command.startsWith("secret list")) {
    if (account.secrets === null)
      return fail('Worker "sluice" not found.\n\nIf this is a new Worker, run `wrangler deploy`');
    const names = Object.keys(account.secrets).map((each) => ({ name: each, type: "secret_text" }));
    return console.log(JSON.stringify(names, null, "  "));
  }
  if (command === "secret bulk") {
    account.secrets = { ...account.secrets, ...(JSON.parse(stdin) as Record<string, string>) };
    return console.log("✨ secrets successfully created");
  }
  fail(`Unknown command: ${command}`);
}

function newRule(name: string): FakeRule {
  const days = flag("--expire-days");
  const action =
    days === undefined ? ABORT.replace("7", flag("--abort-multipart-days")!) : `Expire objects after ${days} days`;
  return { name, enabled: "Yes", prefix: argv[6]?.startsWith("--") ? "(all prefixes)" : argv[6]!, action };
}

function printRules(bucket: string, rules: readonly FakeRule[]): void {
  console.log(`\n ⛅️ wrangler 4.164.0\n────────────────────\nListing lifecycle rules for bucket '${bucket}'...`);
  if (rules.length === 0) return console.log(`There are no lifecycle rules for bucket '${bucket}'.`);
  console.log(
    rules
      .map(({ name, enabled, prefix, action }) =>
        [`name:     ${name}`, `enabled:  ${enabled}`, `prefix:   ${prefix}`, `action:   ${action}`].join("\n"),
      )
      .join("\n\n"),
  );
}

function flag(name: string): string | undefined {
  const at = argv.indexOf(name);
  return at < 0 ? undefined : argv[at + 1];
}

function fail(message: string, stdout = ""): void {
  if (stdout !== "") console.log(stdout);
  if (message !== "") console.error(`\n\u001b[31m✘ \u001b[41;31m[ERROR]\u001b[0m ${message}\n`);
  process.exitCode = 1;
}
