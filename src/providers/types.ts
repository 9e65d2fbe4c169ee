import type { Outcome } from "../cascade/outcome.ts";
import type { ProviderSetting } from "../config.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";

/** A web or image search, already validated. Each provider maps it to what it takes; nothing is passed on blindly. */
export interface SearchQuery {
  readonly query: string;
  /** ISO 3166-1 alpha-2, lower case. */
  readonly country?: string;
  /** BCP 47, as the caller wrote it: `en`, `zh-CN`. */
  readonly locale?: string;
  /** From 1. */
  readonly page: number;
  /** Results wanted on a page, 1–100. A provider may give fewer. */
  readonly num: number;
  readonly safe: boolean;
}

export interface WebResult {
  /** Plain text, never HTML; may be empty. */
  readonly title: string;
  /** Absolute http(s). */
  readonly link: string;
  /** Plain text, never HTML; may be empty. */
  readonly snippet: string;
  /** The site, in words where the provider gives them, else the link's host. */
  readonly source: string;
  /** As the provider words it. */
  readonly date?: string;
}

export interface ImageResult {
  readonly title: string;
  /** The full picture; absolute http(s). */
  readonly imageUrl: string;
  /** Empty where the provider gives none. */
  readonly thumbnailUrl: string;
  /** Pixels of `imageUrl` as the provider claims them. */
  readonly width?: number;
  readonly height?: number;
  /** The page that shows it; empty where unknown. */
  readonly link: string;
  readonly source: string;
}

export type Orientation = "any" | "landscape" | "portrait" | "square";

export interface LicensedImageQuery {
  readonly query: string;
  readonly orientation: Orientation;
  /** Ask for licenses that need no attribution only. */
  readonly strictNoAttribution: boolean;
  /** From 1. */
  readonly page: number;
  /** Candidates wanted; capped by the provider's own page size. */
  readonly num: number;
  readonly locale?: string;
}

/** A picture as its provider describes it, before any license, identity or size gate of ours. */
export interface LicensedImage {
  readonly provider: LicensedImageProviderId;
  readonly assetId: string;
  readonly title: string;
  /** Plain text; empty where unknown. */
  readonly author: string;
  readonly sourcePageUrl: string;
  /** The original. */
  readonly downloadUrl: string;
  /** A rendition near sheet size; empty where there is none. */
  readonly previewUrl: string;
  /** Pixels of the original as the provider claims them; 0 where unknown. */
  readonly width: number;
  readonly height: number;
  /**
   * Pixels that `downloadUrl` really serves, where the provider is known to serve less than it claims
   * (Pixabay: about 1280 on the longer side).
   */
  readonly fetchable?: { readonly width: number; readonly height: number };
  /** Raw, as evidence. `images/license.ts` decides what it means. */
  readonly license: LicenseStatement;
}

export interface LicenseStatement {
  /** The provider's own code or name: `by`, `CC BY-SA 4.0`, `Pexels License`. */
  readonly name: string;
  /** Given apart by Openverse only: `2.0`. */
  readonly version?: string;
  readonly url: string;
}

/** A search by an image, which the upstream fetches itself. */
export interface ReverseImageQuery {
  /** Absolute https, reachable from the internet without a header. */
  readonly imageUrl: string;
  readonly country?: string;
  readonly locale?: string;
  /** The answer before was empty beyond belief: past the upstream's cache, and without what can hide matches. */
  readonly retry?: true;
}

/** A page or a work that shows the image, or one like it. */
export interface ReverseMatch {
  readonly title: string;
  /** Absolute http(s); empty where the upstream names none. */
  readonly link: string;
  /** The site, in words. */
  readonly source: string;
  readonly snippet?: string;
  readonly author?: string;
  /** Absolute http(s). */
  readonly thumbnailUrl?: string;
  /** 0 to 100, where the upstream measures it. */
  readonly similarity?: number;
  /** The upstream calls it the same image. */
  readonly exact?: true;
  /** As shown: `$260`. */
  readonly price?: string;
  /** Further addresses of the same work. */
  readonly links?: readonly string[];
}

/** What one upstream says of an image: one of these is the only result of a hit. */
export interface ReverseFinding {
  readonly matches: readonly ReverseMatch[];
  /** All that the upstream has, of which `matches` are the first. */
  readonly total: number;
  readonly knowledge?: { readonly title: string; readonly description: string };
  /** Searches left, where the upstream tells: SauceNAO. */
  readonly remaining?: { readonly short: number; readonly long: number };
}

export interface Repository {
  /** `owner/name`. */
  readonly name: string;
  readonly description: string;
  readonly stars: number;
  readonly language: string;
  readonly url: string;
}

/** A question to be answered in words, already validated. */
export interface AnswerQuery {
  readonly question: string;
  /** Sources on the web are wanted: an answer without any is none. */
  readonly grounded: boolean;
  /** How to answer, for providers that take orders apart from the question. */
  readonly instruction?: string;
  /** For providers with several models; their first where missing. */
  readonly model?: string;
  /** For providers that search by parameters. */
  readonly search?: AnswerSearch;
}

/** What a caller may ask of the search behind an answer, by Tavily's names. */
export interface AnswerSearch {
  readonly search_depth?: "basic" | "advanced" | "fast" | "ultra-fast";
  readonly chunks_per_source?: number;
  readonly max_results?: number;
  readonly topic?: "general" | "news" | "finance";
  readonly time_range?: "day" | "week" | "month" | "year" | "d" | "w" | "m" | "y";
  /** YYYY-MM-DD. */
  readonly start_date?: string;
  readonly end_date?: string;
  readonly days?: number;
  readonly include_answer?: boolean | "basic" | "advanced";
  readonly include_raw_content?: boolean | "markdown" | "text";
  readonly include_images?: boolean;
  readonly include_image_descriptions?: boolean;
  readonly include_favicon?: boolean;
  readonly include_domains?: readonly string[];
  readonly exclude_domains?: readonly string[];
  /** ISO 3166-1 alpha-2, or the English name. */
  readonly country?: string;
  readonly auto_parameters?: boolean;
  readonly exact_match?: boolean;
  readonly include_usage?: boolean;
}

/** One answer: the only result of a hit. */
export interface WebAnswer {
  /** Line breaks kept; empty where the provider gave sources only. */
  readonly text: string;
  readonly sources: readonly AnswerSource[];
  /** What the provider searched for, where it tells. */
  readonly queries: readonly string[];
  /** HTML with further searches, which Google's terms want shown beside a grounded answer. */
  readonly suggestions?: string;
}

export interface AnswerSource {
  readonly title: string;
  /** Absolute http(s). */
  readonly url: string;
  /** Plain text; may be empty. */
  readonly snippet: string;
}

/** Resolved credentials of one set, by the short names that the provider file gave them. */
export type Credentials = Readonly<Record<string, string>>;

/** One thing that a provider can do. Both functions are pure. */
export interface Capability<Q, R> {
  /** Milliseconds for the whole exchange. */
  readonly timeLimitMs: number;
  request(query: Q, credentials: Credentials): UpstreamRequest;
  /** Classifies by status and body as `test/providers` lists them, else parses. Never throws on any body. */
  read(reply: UpstreamReply, query: Q): Outcome<R>;
}

export type ProviderId =
  | "serpapi"
  | "google-cse"
  | "serper"
  | "brave"
  | "searxng"
  | "wikipedia"
  | "saucenao"
  | "github"
  | "imgbb"
  | "gemini"
  | "tavily"
  | LicensedImageProviderId;

export type LicensedImageProviderId = "pexels" | "pixabay" | "openverse" | "wikimedia";

/** How long answers may be kept and given again, by the provider's own terms. In seconds. */
export interface CacheTerms {
  /** So long an answer is as good as new; 0 where none may be kept. */
  readonly fresh: number;
  /** So long after that it may stand in when everything fails. */
  readonly staleIfError: number;
  /** Of an answer without results, where the terms say so; else it is forgotten soon. */
  readonly empty?: number;
}

export interface Provider {
  readonly id: ProviderId;
  /** As it stands in credit lines and tables. */
  readonly name: string;
  /** Where a key is to be had, or the service's own page. */
  readonly homepage: string;
  /**
   * Alternatives, tried in order: each maps the adapter's short names to settings, all of which must be set.
   * A provider without a key has one empty set; behind others it stands for calls without a key, made where none is
   * configured.
   */
  readonly credentialSets: readonly Readonly<Record<string, ProviderSetting>>[];
  /** For tables: longest query in characters, largest page, and rates in words. */
  readonly limits: {
    readonly queryLength?: number;
    readonly pageSize: number;
    readonly rate: string;
  };
  /** Missing where the terms say nothing: kept for minutes then, and never beyond. */
  readonly cache?: CacheTerms;
  /** First day (UTC, YYYY-MM-DD) on which the provider is no longer called. */
  readonly sunset?: string;
  /** Calls that may be under way at once, over all tenants; unlimited where missing. */
  readonly slots?: number;
  /** A call costs money or a unit of a paid plan, so asking beside a slow provider is limited. */
  readonly billed?: true;
  /** The host is named by the operator and may be private; callers can never choose it. */
  readonly operatorHost?: true;
  readonly web?: Capability<SearchQuery, WebResult>;
  readonly images?: Capability<SearchQuery, ImageResult>;
  readonly licensedImages?: Capability<LicensedImageQuery, LicensedImage>;
  /** One picture by its asset id, for providers whose addresses expire. */
  readonly lookup?: Capability<string, LicensedImage>;
  /** The same kinds of search by other engines of the provider, by engine id: `bing`, `baidu`, `google_images`. */
  readonly webEngines?: Readonly<Record<string, Capability<SearchQuery, WebResult>>>;
  readonly imageEngines?: Readonly<Record<string, Capability<SearchQuery, ImageResult>>>;
  /** Searches by image, by engine id: `google_lens`, `google_reverse_image`, `yandex_images`, `bing_reverse_image`, `saucenao`. */
  readonly reverseEngines?: Readonly<Record<string, Capability<ReverseImageQuery, ReverseFinding>>>;
  readonly repositories?: Capability<SearchQuery, Repository>;
  readonly answers?: Capability<AnswerQuery, WebAnswer>;
}
