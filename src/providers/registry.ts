import { brave } from "./brave.ts";
import { googleCse } from "./google-cse.ts";
import { openverse } from "./openverse.ts";
import { pexels } from "./pexels.ts";
import { pixabay } from "./pixabay.ts";
import { searxng } from "./searxng.ts";
import { serpapi } from "./serpapi.ts";
import { serper } from "./serper.ts";
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
];

export function providerById(id: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}

/** The providers that are no longer called on a day (UTC, `YYYY-MM-DD`). */
export function sunsetOn(day: string): readonly Provider[] {
  return PROVIDERS.filter(({ sunset }) => sunset !== undefined && sunset <= day);
}
