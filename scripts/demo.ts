/**
 * `npm run demo`: Sluice's two main jobs against the simulator, then everything is shut down again. The pictures and
 * their manifest are left in demo-output/.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startUpstreams } from "../test/upstreams/server.ts";
import { bootWorker, buildWorker } from "../local/boot.ts";
import { freePort } from "../local/free-port.ts";
import { offlineVariables } from "./offline.ts";

interface Attempt {
  provider: string;
  outcome: string;
  class?: string;
  ms: number;
}

interface SearchAnswer {
  results: { title: string; link: string; imageUrl?: string }[];
  attempts: Attempt[];
}

interface DemoRow {
  Query: string;
  Provider: string;
  License: string;
  Size: string;
  "Attempts (ms)": string;
  Credit: string;
}

interface AcquiredImage {
  item: { provider: string; license_name: string; width: number; height: number; attribution_text: string };
  attempts: Attempt[];
}

const OUTPUT = "demo-output";
const PROJECT = "demo";
const ROWS = [
  { filename: "airplane.jpg", query: "airplane from above" },
  { filename: "alps.jpg", query: "french alpine landscape", orientation: "landscape" },
  { filename: "nagasaki.jpg", query: "boats in Nagasaki", required_terms: ["Nagasaki|長崎|长崎"] },
];

const started = performance.now();
console.log("Building the Worker and starting it behind the provider simulator ...");
await buildWorker();
const upstreams = await startUpstreams({ port: 0 });
const port = await freePort();
const worker = await bootWorker({
  port,
  variables: offlineVariables(upstreams.url, `http://127.0.0.1:${port}`),
  verbose: false,
});
try {
  await rm(OUTPUT, { recursive: true, force: true });
  await mkdir(join(OUTPUT, "images"), { recursive: true });
  await search("web", "airplane from above");
  await search("image", "french alpine landscape");
  const rows: DemoRow[] = [];
  for (const row of ROWS) rows.push(await acquire(row));
  printTable(rows);
  await save("image_sources.json", "image_sources.json");
  console.log(`\nFiles: ${OUTPUT}/images/ and ${OUTPUT}/image_sources.json`);
} finally {
  await worker.close();
  await upstreams.close();
}
console.log(`Done in ${((performance.now() - started) / 1000).toFixed(1)} s; nothing is left running.`);

async function search(kind: "web" | "image", query: string): Promise<void> {
  const answer = await post<SearchAnswer>("/search", { search_type: kind, query, page: 1, num: 10 });
  console.log(`\nSearchGen ${kind} search "${query}": ${answer.results.length} results`);
  console.log(`  attempts  ${attempts(answer.attempts)}`);
  for (const result of answer.results.slice(0, 3))
    console.log(`  - ${result.title}\n    ${shortened(result.imageUrl ?? result.link)}`);
}

async function acquire(row: { filename: string; query: string }): Promise<DemoRow> {
  const { item, attempts: record } = await post<AcquiredImage>(`/v1/projects/${PROJECT}/images`, row);
  await save(`images/${row.filename}`, join("images", row.filename));
  return {
    Query: row.query,
    Provider: item.provider,
    License: item.license_name,
    Size: `${item.width} x ${item.height}`,
    "Attempts (ms)": attempts(record),
    Credit: item.attribution_text,
  };
}

/** Columns as wide as their widest cell; the last column, which is long, stands in lines of its own. */
function printTable(rows: readonly DemoRow[]): void {
  const columns = ["Query", "Provider", "License", "Size", "Attempts (ms)"] as const;
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => row[column].length)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, index) => cell.padEnd(widths[index]!)).join("  ")}`.trimEnd();
  console.log(`\n${line(columns)}\n${line(widths.map((width) => "-".repeat(width)))}`);
  for (const row of rows) console.log(line(columns.map((column) => row[column])));
  console.log("\n  Credit lines");
  for (const row of rows) console.log(`  - ${row.Credit}`);
}

async function save(path: string, file: string): Promise<void> {
  const response = await fetch(`${worker.url}/v1/projects/${PROJECT}/files/${path}`);
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  await writeFile(join(OUTPUT, file), new Uint8Array(await response.arrayBuffer()));
}

async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(worker.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: HTTP ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

function attempts(record: readonly Attempt[]): string {
  return record.map((attempt) => `${attempt.provider} ${attempt.class ?? attempt.outcome} ${attempt.ms}`).join(", ");
}

function shortened(url: string): string {
  return url.length <= 100 ? url : `${url.slice(0, 60)}...${url.slice(-30)}`;
}
