import { ROW_STATUSES, type RowItem } from "../src/batches/rows.ts";
import { filenameKey } from "../src/images/filename.ts";
import { CommandError } from "./failure.ts";
import { readIfThere, replaceFile } from "./files.ts";
import { render } from "./manifest.ts";

interface Queries {
  readonly items: readonly RowItem[];
  readonly [member: string]: unknown;
}

/** An `image_queries.json` that is read before a run and written after every row. */
export class QueryFile {
  readonly path: string;
  #queries: Queries;

  constructor(path: string, queries: Queries) {
    this.path = path;
    this.#queries = queries;
  }

  /** A file that cannot be used is a `CommandError` that says why. */
  static async open(path: string): Promise<QueryFile> {
    return new QueryFile(path, await readQueries(path));
  }

  get rows(): readonly RowItem[] {
    return this.#queries.items;
  }

  /** Throws a `CommandError` where there is none. */
  row(filename: string): RowItem {
    const row = this.rows.find((item) => item.filename === filename);
    if (row === undefined) throw new CommandError(`${this.path} has no row for ${filename}.`);
    return row;
  }

  /** Changes one row. The file is read again first: whatever else was changed in it meanwhile stays. */
  async update(filename: string, change: (row: RowItem) => RowItem): Promise<void> {
    await this.updateAll(new Map([[filename, change]]));
  }

  async updateAll(changes: ReadonlyMap<string, (row: RowItem) => RowItem>): Promise<void> {
    if (changes.size === 0) return;
    const now = await readQueries(this.path);
    this.#queries = { ...now, items: now.items.map((row) => changes.get(row.filename)?.(row) ?? row) };
    await replaceFile(this.path, render(this.#queries));
  }
}

async function readQueries(path: string): Promise<Queries> {
  const bytes = await readIfThere(path);
  const wrong = (why: string) => new CommandError(`${path} ${why}. Nothing was searched, and it is left as it is.`);
  if (bytes === undefined) throw wrong("is not there");
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw wrong("is not JSON");
  }
  const items: unknown = isObject(value) ? value["items"] : undefined;
  if (!Array.isArray(items)) throw wrong("is not an object with a list of `items`");
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const fault = faultOf(item);
    if (fault !== undefined) throw wrong(`has a fault: /items/${index}${fault}`);
    const key = filenameKey((item as RowItem).filename);
    if (seen.has(key)) throw wrong(`has ${(item as RowItem).filename} twice, ignoring case`);
    seen.add(key);
  }
  return value as Queries;
}

/** Only what every row must have: of rows that are not to run, nothing else matters. */
function faultOf(item: unknown): string | undefined {
  if (!isObject(item)) return " must be an object";
  for (const field of ["filename", "query", "status"]) {
    const value = item[field];
    if (typeof value !== "string" || value.trim() === "") return `/${field} must be a text that is not empty`;
  }
  if (!(ROW_STATUSES as readonly unknown[]).includes(item["status"])) {
    return `/status must be one of ${ROW_STATUSES.join(", ")}`;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
