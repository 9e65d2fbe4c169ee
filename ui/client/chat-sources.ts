import { webUrl } from "./links.ts";

export interface Source {
  readonly title: string;
  readonly url: string;
}

/** Where the results of a tool lie, whichever tool's shape they have, without repeats. Pure. */
export function sourcesOf(results: readonly unknown[]): Source[] {
  const sources = new Map<string, Source>();
  for (const result of results) {
    if (typeof result !== "object" || result === null) continue;
    const fields = result as Readonly<Record<string, unknown>>;
    const url = webUrl(fields["link"]) ?? webUrl(fields["url"]) ?? webUrl(fields["imageUrl"]);
    if (url === undefined || sources.has(url)) continue;
    const title = [fields["title"], fields["name"]].find((text) => typeof text === "string" && text.trim() !== "");
    sources.set(url, { title: typeof title === "string" ? title : url, url });
  }
  return [...sources.values()];
}
