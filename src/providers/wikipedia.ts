import { textOf, type JsonObject } from "./fields.ts";
import { wikipediaLanguage } from "./locales.ts";
import { SEARCH_BYTES, SEARCH_PAGE, searchPart, withQuery } from "./mediawiki.ts";
import { cutToBytes } from "./query-limits.ts";
import { resultsOf } from "./replies.ts";
import type { Provider, WebResult } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "Wikipedia";

/** Wire: mediawiki.org/wiki/API:Search, `list=search`, format version 2. */
export const wikipedia: Provider = {
  id: "wikipedia",
  name: NAME,
  homepage: "https://www.wikipedia.org/",
  credentialSets: [{}],
  limits: {
    queryLength: SEARCH_BYTES,
    pageSize: SEARCH_PAGE,
    rate: "three requests at once, with a contact in the User-Agent",
  },
  cache: { fresh: 3_600, staleIfError: 604_800 },
  web: {
    timeLimitMs: 8_000,
    request: (query) => {
      const { limit, offset } = searchPart(query.page, query.num);
      return {
        url: urlWith(`https://${hostFor(query.locale)}/w/api.php`, {
          action: "query",
          list: "search",
          srsearch: cutToBytes(query.query, SEARCH_BYTES),
          srlimit: limit,
          sroffset: offset,
          srprop: "snippet",
          format: "json",
          formatversion: 2,
        }),
        headers: { accept: "application/json" },
      };
    },
    read: (reply, query) => {
      const host = hostFor(query.locale);
      return withQuery(reply, NAME, ({ search }) => {
        const outcome = resultsOf(reply, NAME, search, (item) => webResult(item, host), { num: query.num });
        const { beyond } = searchPart(query.page, query.num);
        return beyond && outcome.kind === "hit" ? { kind: "empty" } : outcome;
      });
    },
  },
};

function hostFor(locale: string | undefined): string {
  return `${wikipediaLanguage(locale)}.wikipedia.org`;
}

function webResult(item: JsonObject, host: string): WebResult | undefined {
  const { title } = item;
  if (typeof title !== "string" || title.trim() === "") return undefined;
  return {
    title: textOf(title),
    link: `https://${host}/wiki/${articlePath(title)}`,
    snippet: textOf(item.snippet),
    source: NAME,
  };
}

/** As Wikipedia writes its own addresses: underscores for spaces, and these few characters left readable. */
function articlePath(title: string): string {
  const path = encodeURIComponent(title.toWellFormed().trim().replaceAll(" ", "_"));
  return path.replace(/%(?:2F|3A|2C|3B|40|24)/g, decodeURIComponent);
}
