import { startProviders } from "./home-providers.ts";
import { startSearch } from "./home-search.ts";

export function startHome(): void {
  startSearch();
  void startProviders();
}
