import { isPageHost } from "./catalogue/pages.ts";
import { isPictureHost } from "./hosting.ts";
import { WIKIPEDIA_LANGUAGES } from "./catalogue/wikipedia.ts";

const API_HOSTS: Readonly<Record<string, string>> = {
  "serpapi.com": "serpapi",
  "www.googleapis.com": "google-cse",
  "google.serper.dev": "serper",
  "api.search.brave.com": "brave",
  "searx.example": "searxng",
  "api.pexels.com": "pexels",
  "saucenao.com": "saucenao",
  "api.github.com": "github",
  "api.imgbb.com": "imgbb",
  "generativelanguage.googleapis.com": "gemini",
  "vertexaisearch.cloud.google.com": "gemini-redirects",
  "api.tavily.com": "tavily",
  "chat.example": "chat",
  "webhooks.example": "webhooks",
};

/** Parts a path as the proxy sees it, `/host/path`, into the host and the path that starts with a slash. */
export function targetOf(proxied: string): { host: string; path: string } {
  const end = proxied.indexOf("/", 1);
  const host = end === -1 ? proxied.slice(1) : proxied.slice(1, end);
  return { host: host.toLowerCase(), path: end === -1 ? "/" : proxied.slice(end) };
}

/** Which upstream stands behind a URL; several hosts serve an API and pictures. */
export function upstreamOf({ host, path }: { host: string; path: string }): string {
  const api = API_HOSTS[host];
  if (api !== undefined) return api;
  if (host === "pixabay.com" && path.startsWith("/api/")) return "pixabay";
  if (host === "api.openverse.org" && !path.endsWith("/thumb/")) return "openverse";
  if (path === "/w/api.php") {
    if (host === "commons.wikimedia.org") return "wikimedia";
    const language = /^([a-z-]+)\.wikipedia\.org$/.exec(host)?.[1];
    if (language !== undefined && WIKIPEDIA_LANGUAGES.includes(language)) return "wikipedia";
  }
  return isPictureHost(host) || isPageHost(host) ? `images:${host}` : "unknown";
}
