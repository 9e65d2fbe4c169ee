/**
 * Variables and secrets → one typed Config. Nobody else reads them.
 */

/** Every setting that belongs to a provider. The registry names them; a name that is not here does not compile. */
export const PROVIDER_SETTINGS = [
  "SERPAPI_API_KEY",
  "GOOGLE_SEARCH_API_KEY_1",
  "GOOGLE_SEARCH_API_KEY_2",
  "GOOGLE_CSE_ID",
  "SERPER_API_KEY",
  "BRAVE_API_KEY",
  "SEARXNG_URL",
  "PEXELS_API_KEY",
  "PIXABAY_API_KEY",
] as const;

export type ProviderSetting = (typeof PROVIDER_SETTINGS)[number];
