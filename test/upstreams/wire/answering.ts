import type { Context } from "hono";
import { type Searchable, search } from "../matching.ts";
import type { SimulatorEnv } from "../simulator-env.ts";

/** What the catalogue holds for a query, unless a fault wants nothing found. */
export function found<T extends Searchable>(c: Context<SimulatorEnv>, records: readonly T[], query: string): T[] {
  return c.get("findNothing") ? [] : search(records, query);
}

/** A whole number of the query string; the fallback where it is missing, NaN where it is something else. */
export function numberParameter(c: Context<SimulatorEnv>, name: string, fallback: number): number {
  const text = c.req.query(name);
  if (text === undefined) return fallback;
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** False for NaN too. */
export function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

export function slice<T>(list: readonly T[], offset: number, size: number): T[] {
  return list.slice(offset, offset + size);
}

/** Wikimedia's rule: a User-Agent with a URL or an e-mail address, or a browser's. */
export function namesContact(c: Context<SimulatorEnv>): boolean {
  const agent = c.req.header("user-agent") ?? "";
  return /https?:\/\/|@|^Mozilla\/5\.0 /.test(agent);
}
