/**
 * `npm run generate`: everything in the repository that is made from the code. `--check` changes nothing and fails when
 * something is not what it would be.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { PROBLEMS } from "../routes/problems.ts";
import { termsOf } from "../src/cache/policy.ts";
import { SERVICE_SETTINGS } from "../src/config.ts";
import { PROVIDERS } from "../src/providers/registry.ts";
import { PROVIDER_TERMS } from "../src/providers/terms.ts";
import type { Provider } from "../src/providers/types.ts";
import { TOOLS } from "../src/tools/registry.ts";

const check = process.argv.includes("--check");
const stale: string[] = [];

await promisify(execFile)(
  "wrangler",
  [
    "types",
    "--include-runtime=false",
    // Whoever sets a variable for their deployment changes no type.
    "--strict-vars=false",
    "--env-file",
    "/dev/null",
    ...(check ? ["--check"] : []),
  ],
  { env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: "false", WRANGLER_SEND_METRICS: "false" } },
).catch((error: unknown) => {
  if (!check) throw error;
  stale.push("worker-configuration.d.ts");
});
await replaceSection("docs/configuration.md", "configuration", configurationTable());
await replaceSection("docs/chat.md", "tools", toolTable());
await replaceSection("docs/providers.md", "providers", providerTable());
await replaceSection("docs/providers.md", "terms", termsTable());
await replaceSection("docs/problems.md", "problems", problemSections());

if (stale.length > 0) {
  console.error(`Not up to date: ${stale.join(", ")}. Run \`npm run generate\` and commit what it changes.`);
  process.exit(1);
}

/** Replaces what stands between `<!-- name:begin -->` and `<!-- name:end -->`. */
async function replaceSection(file: string, name: string, content: string): Promise<void> {
  const text = await readFile(file, "utf8");
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file} has no section ${name}`);
  const next = `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
  if (next === text) return;
  if (check) stale.push(file);
  else await writeFile(file, next);
}

function configurationTable(): string {
  const ofService = SERVICE_SETTINGS.map((each) => [
    `\`${each.name}\``,
    each.secret ? "secret" : "variable",
    each.meaning,
  ]);
  const ofProviders = PROVIDERS.flatMap((provider) =>
    [...new Set(provider.credentialSets.flatMap((set) => Object.values(set)))].map((name) => [
      `\`${name}\``,
      provider.operatorHost ? "variable" : "secret",
      `${provider.name}: ${provider.homepage}${provider.sunset ? ` (ends ${provider.sunset})` : ""}`,
    ]),
  );
  return table(["Setting", "Kind", "Meaning"], [...ofService, ...ofProviders]);
}

function toolTable(): string {
  return table(
    ["Id", "Button", "Needs", "Asks", "`results`"],
    TOOLS.map(({ id, label, needs, asks, answers }) => [`\`${id}\``, label, needs, asks, answers]),
  );
}

function providerTable(): string {
  return table(
    ["Id", "Name", "Offers", "Needs", "Limits", "Kept", "Ends"],
    PROVIDERS.map((provider) => [
      `\`${provider.id}\``,
      `[${provider.name}](${provider.homepage})`,
      offersOf(provider).join(", "),
      provider.credentialSets
        .map(
          (set) =>
            Object.values(set)
              .map((name) => `\`${name}\``)
              .join(" + ") || "nothing",
        )
        .join(" or "),
      `${provider.limits.pageSize} a page; ${provider.limits.rate}`,
      keptFor(provider),
      provider.sunset ?? "",
    ]),
  );
}

function keptFor(provider: Provider): string {
  const { fresh, staleIfError } = termsOf(provider.id);
  if (fresh === 0) return "never";
  const time = fresh < 3_600 ? `${fresh / 60} minutes` : `${fresh / 3_600} h`;
  return staleIfError === 0 ? time : `${time}; ${staleIfError / 86_400} days when all fail`;
}

function termsTable(): string {
  return table(
    ["Provider", "Credit", "Keeping and linking", "What Sluice does"],
    PROVIDERS.map(({ id, name }) => {
      const { url, credit, keeping, kept } = PROVIDER_TERMS[id];
      return [url === undefined ? name : `[${name}](${url})`, credit, keeping, kept];
    }),
  );
}

function offersOf(provider: Provider): string[] {
  const kinds: readonly [name: string, usual: unknown, engines?: object][] = [
    ["web", provider.web, provider.webEngines],
    ["images", provider.images, provider.imageEngines],
    ["licensed images", provider.licensedImages],
    ["search by image", undefined, provider.reverseEngines],
    ["repositories", provider.repositories],
    ["answers", provider.answers],
    ["hosting of images to be searched by", provider.id === "imgbb" ? provider : undefined],
  ];
  return kinds.flatMap(([name, usual, engines = {}]) => {
    const ids = Object.keys(engines).filter((id) => id !== provider.id);
    if (usual === undefined && Object.keys(engines).length === 0) return [];
    return [ids.length === 0 ? name : `${name} (${usual === undefined ? "" : "also "}${ids.join(", ")})`];
  });
}

function problemSections(): string {
  return Object.entries(PROBLEMS)
    .map(([code, kind]) => `## ${code}\n\n${kind.title} (HTTP ${kind.status}).\n\n${kind.remedy}`)
    .join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map(tableLine).join("\n");
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
