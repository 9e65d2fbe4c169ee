import { brave } from "./brave.ts";
import { gemini } from "./gemini.ts";
import { github } from "./github.ts";
import { googleCse } from "./google-cse.ts";
import { imgbb } from "./imgbb.ts";
import { openverse } from "./openverse.ts";
import { pexels } from "./pexels.ts";
import { pixabay } from "./pixabay.ts";
import { saucenao } from "./saucenao.ts";
import { searxng } from "./searxng.ts";
import { serpapi } from "./serpapi.ts";
import { serper } from "./serper.ts";
import { tavily } from "./tavily.ts";
import type { Provider } from "./types.ts";
import { wikimedia } from "./wikimedia.ts";
import { wikipedia } from "./wikipedia.ts";

/** Every provider, in the order of tables and default chains. */
export const PROVIDERS: readonly Provider[] = [
  serpapi,
  googleCse,
  serper,
  brave,
  searxng,
  wikipedia,
  pexels,
  pixabay,
  openverse,
  wikimedia,
  saucenao,
  github,
  imgbb,
  gemini,
  tavily,
];

export function providerById(id: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}

/** The providers that are no longer called on a day (UTC, `YYYY-MM-DD`). */
export function sunsetOn(day: string): readonly Provider[] {
  return PROVIDERS.filter(({ sunset }) => sunset !== undefined && sunset <= day);
}
