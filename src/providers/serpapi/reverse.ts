import type { Empty, Outcome } from "../../cascade/outcome.ts";
import type { UpstreamReply } from "../../egress/wire.ts";
import { arrayOf, firstText, firstUrl, hostOf, httpUrl, objectOf, textOf, type JsonObject } from "../fields.ts";
import { bingMarket, googleCountry, googleLanguage } from "../locales.ts";
import { failure } from "../replies.ts";
import type { Capability, ReverseFinding, ReverseImageQuery, ReverseMatch } from "../types.ts";
import { engineRequest, NAME, readAnswer, saysNothingFound, TIME_LIMIT_MS } from "./search.ts";

type ReverseEngine = Capability<ReverseImageQuery, ReverseFinding>;
type Knowledge = NonNullable<ReverseFinding["knowledge"]>;

/** An empty answer that does not say that nothing was found: often a search that failed without a word. */
export interface SilentEmpty extends Empty {
  readonly silent: true;
}

const SILENT: SilentEmpty = { kind: "empty", silent: true };

/**
 * Whether an answer by image deserves a second call with `retry`. About one search by Lens in eight is a success
 * without any section (github.com/serpapi/public-roadmap/issues/4323).
 */
export function isSilentlyEmpty(outcome: Outcome<unknown>): boolean {
  return outcome.kind === "empty" && "silent" in outcome;
}

/** Wire: serpapi.com/google-lens-api. */
export const googleLens: ReverseEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: ({ imageUrl, country, locale, retry }, credentials) =>
    engineRequest(
      "google_lens",
      {
        url: imageUrl,
        hl: googleLanguage(locale)?.toLowerCase(),
        // With some countries Lens finds nothing at all (public-roadmap 3123), so the second call goes without one.
        country: retry ? undefined : googleCountry(country),
        ...pastTheCache(retry),
      },
      credentials,
    ),
  read: (reply) =>
    readAnswer(reply, (json) => {
      const lists = [
        { list: json.exact_matches, parse: exactly(matchOf) },
        { list: json.visual_matches, parse: matchOf },
      ];
      const outcome = findingOf(reply, lists, json.knowledge_graph);
      return outcome.kind === "empty" && !saysNothingFound(json.error) ? SILENT : outcome;
    }),
};

/** Wire: serpapi.com/google-reverse-image. */
export const googleReverseImage: ReverseEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: ({ imageUrl, country, locale, retry }, credentials) =>
    engineRequest(
      "google_reverse_image",
      {
        image_url: imageUrl,
        gl: googleCountry(country),
        hl: googleLanguage(locale)?.toLowerCase(),
        ...pastTheCache(retry),
      },
      credentials,
    ),
  read: (reply) =>
    readAnswer(reply, (json) => {
      const list = json.image_results ?? json.inline_images;
      return findingOf(reply, [{ list, parse: matchOf }], json.knowledge_graph);
    }),
};

/** Wire: serpapi.com/yandex-images-api; by image the matches stand in `image_results`, not in `images_results`. */
export const yandexImages: ReverseEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: ({ imageUrl, retry }, credentials) =>
    engineRequest("yandex_images", { url: imageUrl, ...pastTheCache(retry) }, credentials),
  read: (reply) =>
    readAnswer(reply, (json) => findingOf(reply, [{ list: json.image_results, parse: matchOf }], json.knowledge_graph)),
};

/** Wire: serpapi.com/bing-reverse-image-api. */
export const bingReverseImage: ReverseEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: ({ imageUrl, country, locale, retry }, credentials) => {
    // This engine takes a market only, no country.
    const { mkt } = bingMarket(locale, country);
    return engineRequest("bing_reverse_image", { image_url: imageUrl, mkt, ...pastTheCache(retry) }, credentials);
  },
  read: (reply) =>
    readAnswer(reply, (json) => {
      const lists = [
        { list: json.pages_with_this_image, parse: exactly(matchOf) },
        { list: json.related_content, parse: relatedMatch },
      ];
      return findingOf(reply, lists, json.knowledge_graph);
    }),
};

/** SerpAPI keeps an answer for an hour, the wrong ones too. */
function pastTheCache(retry: true | undefined): { no_cache?: "true" } {
  return retry ? { no_cache: "true" } : {};
}

interface MatchList {
  readonly list: unknown;
  readonly parse: (item: JsonObject) => ReverseMatch | undefined;
}

/** Missing and null lists are empty; a list of another type is `malformed`, unless another part has something. */
function findingOf(
  reply: UpstreamReply,
  lists: readonly MatchList[],
  knowledgeGraph: unknown,
): Outcome<ReverseFinding> {
  const matches = distinct(lists.flatMap(({ list, parse }) => matchesIn(list, parse)));
  const knowledge = knowledgeOf(knowledgeGraph);
  if (matches.length === 0 && knowledge === undefined) {
    const odd = lists.some(({ list }) => list !== undefined && list !== null && !Array.isArray(list));
    if (odd) return failure(reply, "malformed", `${NAME} sent its matches in another shape than documented`);
    return { kind: "empty" };
  }
  return { kind: "hit", results: [{ matches, total: matches.length, ...(knowledge ? { knowledge } : {}) }] };
}

function matchesIn(list: unknown, parse: MatchList["parse"]): readonly ReverseMatch[] {
  return arrayOf(list).flatMap((item) => {
    const object = objectOf(item);
    const match = object === undefined ? undefined : parse(object);
    return match === undefined ? [] : [match];
  });
}

/** A page can stand in two lists of one answer: the first says more of it. */
function distinct(matches: readonly ReverseMatch[]): readonly ReverseMatch[] {
  const seen = new Set<string>();
  return matches.filter(({ link }) => !seen.has(link) && seen.add(link));
}

/** An object, or a list of them; descriptions may be null. */
function knowledgeOf(value: unknown): Knowledge | undefined {
  for (const item of Array.isArray(value) ? value : [value]) {
    const graph = objectOf(item);
    const title = textOf(graph?.title);
    const description = firstText(graph?.description, graph?.subtitle);
    if (title !== "" || description !== "") return { title, description };
  }
  return undefined;
}

function matchOf(item: JsonObject): ReverseMatch | undefined {
  return matchAt(firstUrl(item.link, addressIn(item.original_image), item.original), textOf(item.source), item);
}

/** In Bing's related content `link` leads to Bing's own viewer: the page is in `source`. */
function relatedMatch(item: JsonObject): ReverseMatch | undefined {
  return matchAt(httpUrl(item.source), textOf(item.domain), item);
}

function exactly(parse: MatchList["parse"]): MatchList["parse"] {
  return (item) => {
    const match = parse(item);
    return match === undefined ? undefined : { ...match, exact: true };
  };
}

function matchAt(link: string, source: string, item: JsonObject): ReverseMatch | undefined {
  if (link === "") return undefined;
  const snippet = textOf(item.snippet);
  const thumbnailUrl = firstUrl(addressIn(item.thumbnail), addressIn(item.image));
  const price = firstText(objectOf(item.price)?.value, item.price);
  return {
    title: textOf(item.title),
    link,
    source: httpUrl(source) === "" && source !== "" ? source : hostOf(link),
    ...(snippet === "" ? {} : { snippet }),
    ...(thumbnailUrl === "" ? {} : { thumbnailUrl }),
    ...(price === "" ? {} : { price: shownPrice(price) }),
  };
}

/** Yandex nests its pictures: `thumbnail.link`, `original_image.link`. */
function addressIn(value: unknown): unknown {
  return objectOf(value)?.link ?? value;
}

/** Lens marks prices that may have changed with an asterisk. */
function shownPrice(price: string): string {
  return price.replace(/\*$/, "");
}
