import type { Clock, Deadline } from "../cascade/deadline.ts";
import type { Door } from "../egress/door.ts";
import { httpUrl } from "../providers/fields.ts";
import type { AnswerSource } from "../providers/types.ts";

export interface ResolvedSource extends AnswerSource {
  /** The redirect through which `url` was found. */
  readonly redirectUrl?: string;
}

interface Outside {
  readonly door: Door;
  readonly deadline: Deadline;
  readonly clock: Clock;
}

const TIME_LIMIT_MS = 2_500;
/** A Worker may have six requests waiting for headers. */
const AT_ONCE = 5;
const MAX_BYTES = 64 * 1024;

/**
 * Grounded sources with the addresses of the pages themselves: Gemini names redirects of its own, which expire. Each is
 * asked for once and not followed. One that does not tell within the time keeps its redirect as `url`. Sources that
 * lead to the same page become one.
 */
export async function resolveRedirects(
  sources: readonly AnswerSource[],
  outside: Outside,
): Promise<readonly ResolvedSource[]> {
  const limit = AbortSignal.timeout(Math.round(Math.max(1, Math.min(TIME_LIMIT_MS, outside.deadline.remainingMs()))));
  const signal = AbortSignal.any([limit, outside.deadline.signal]);
  const waiting = [...sources.entries()];
  const resolved: ResolvedSource[] = [...sources];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const [index, source] = next;
      resolved[index] = await resolve(source, outside.door, signal);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, sources.length) }, work));
  return merged(resolved);
}

async function resolve(source: AnswerSource, door: Door, signal: AbortSignal): Promise<ResolvedSource> {
  if (!isRedirect(source.url)) return source;
  try {
    const options = { timeLimitMs: TIME_LIMIT_MS, maxBytes: MAX_BYTES, signal };
    const { headers } = await door.send({ url: source.url }, options);
    const url = httpUrl(headers.get("location"));
    return url === "" ? source : { ...source, url, redirectUrl: source.url };
  } catch {
    // A source with Google's address is better than none; why it could not be told is nobody's concern.
    return source;
  }
}

function isRedirect(url: string): boolean {
  const { protocol, host, pathname } = new URL(url);
  return (
    protocol === "https:" &&
    host === "vertexaisearch.cloud.google.com" &&
    pathname.startsWith("/grounding-api-redirect/")
  );
}

function merged(sources: readonly ResolvedSource[]): readonly ResolvedSource[] {
  const byUrl = new Map<string, ResolvedSource>();
  for (const source of sources) {
    const known = byUrl.get(source.url);
    const snippets = [known?.snippet, source.snippet].filter(Boolean);
    byUrl.set(source.url, { ...(known ?? source), snippet: [...new Set(snippets)].join(" ") });
  }
  return [...byUrl.values()];
}
