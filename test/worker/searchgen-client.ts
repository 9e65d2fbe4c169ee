import { sniffImage } from "../../src/pixels/sniff.ts";
import { normalizedTitle } from "../../src/searchgen/contract.ts";
import type { Gateway } from "./gateway.ts";

export interface ClientRow {
  readonly title: string;
  readonly link: string;
  readonly imageUrl?: string;
  readonly position: number;
}

/**
 * Searches as the SearchGen client does: one try, exactly its body and headers, no redirect survives, and any failure
 * is silently no result.
 */
export async function clientSearch(gateway: Gateway, kind: "web" | "image", query: string): Promise<ClientRow[]> {
  const body =
    kind === "web"
      ? { search_type: "web", query, country: "us", locale: "en", page: 1, num: 10 }
      : { search_type: "image", query, page: 1, num: 10 };
  const response = await gateway.post("/search", body, {
    accept: "*/*",
    "accept-encoding": "gzip, deflate",
    "user-agent": "python-requests/2.32.3",
  });
  if (response.status >= 300) return [];
  const answer: unknown = await response.json();
  if (typeof answer !== "object" || answer === null || !("success" in answer) || answer.success !== true) return [];
  return "results" in answer && Array.isArray(answer.results) ? (answer.results as ClientRow[]) : [];
}

/** Downloads as the client does: grouped by title, in order, until three; returns the URLs that it could use. */
export async function clientDownloads(
  rows: readonly ClientRow[],
  get: (url: string) => Promise<Response>,
): Promise<string[]> {
  const groups = new Map<string, ClientRow>();
  for (const row of rows) if (!groups.has(normalizedTitle(row.title))) groups.set(normalizedTitle(row.title), row);
  const usable: string[] = [];
  for (const row of groups.values()) {
    if (usable.length === 3) break;
    if (row.imageUrl === undefined || !/^https?:\/\//.test(row.imageUrl)) continue;
    const response = await get(row.imageUrl);
    if (response.status >= 400 || response.headers.has("content-encoding")) continue;
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (
      bytes.byteLength <= 26_214_400 &&
      ["jpeg", "png", "webp", "gif", "bmp", "tiff", "mpo"].includes(sniffImage(bytes).kind)
    ) {
      usable.push(row.imageUrl);
    }
  }
  return usable;
}
