import type { Step } from "../cascade/cascade.ts";
import { hitOrEmpty } from "../cascade/outcome.ts";
import type { ChainSetting, Config } from "../config.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import { stepsOf } from "../providers/call.ts";
import { PROVIDERS, providerById } from "../providers/registry.ts";
import type {
  Capability,
  ImageResult,
  LicensedImage,
  Provider,
  ProviderId,
  SearchQuery,
  WebResult,
} from "../providers/types.ts";
import { type ClearedImage, clearedOnes, licensedQuery } from "./cleared.ts";
import { engineSteps, rotated } from "./engines.ts";
import { licensedSteps } from "./licensed.ts";

export const DEFAULT_CHAINS: Readonly<Record<ChainSetting, readonly ProviderId[]>> = {
  WEB_CHAIN: ["serpapi", "google-cse", "serper", "brave", "searxng", "wikipedia"],
  IMAGE_CHAIN: ["serpapi", "serper", "brave", "searxng", "pexels", "pixabay", "openverse", "wikimedia"],
  LICENSED_IMAGE_CHAIN: ["pexels", "pixabay", "openverse", "wikimedia"],
};

/** The providers of a chain in the operator's order. An id that cannot serve the chain is `misconfigured`. */
export function chainOf(setting: ChainSetting, config: Config): readonly Provider[] {
  const able = PROVIDERS.filter((provider) => canServe(provider, setting));
  return (config.chains[setting] ?? DEFAULT_CHAINS[setting]).map((id) => {
    const provider = providerById(id);
    if (provider === undefined || !able.includes(provider)) {
      const valid = able.map((each) => each.id).join(", ");
      throw new SluiceError("misconfigured", `The setting ${setting} names \`${id}\`; it can hold ${valid}.`);
    }
    return provider;
  });
}

function canServe(provider: Provider, setting: ChainSetting): boolean {
  if (setting === "WEB_CHAIN") return provider.web !== undefined;
  if (setting === "LICENSED_IMAGE_CHAIN") return provider.licensedImages !== undefined;
  return provider.images !== undefined || provider.licensedImages !== undefined;
}

/** The steps of a web search. A provider that has `engine` is asked for it; the others stand behind as they are. */
export function webSteps(query: SearchQuery, context: JobContext, engine?: string): Step<WebResult>[] {
  return chainOf("WEB_CHAIN", context.config).flatMap((provider) => {
    const chosen = engine === undefined ? undefined : provider.webEngines?.[engine];
    if (engine !== undefined && chosen !== undefined) return engineSteps(provider, engine, chosen, query, context);
    return steps(provider, provider.web, query, context);
  });
}

export function imageSteps(query: SearchQuery, context: JobContext, engine?: string): Step<ImageResult>[] {
  return chainOf("IMAGE_CHAIN", context.config).flatMap((provider) => {
    const chosen = engine === undefined ? undefined : provider.imageEngines?.[engine];
    if (engine !== undefined && chosen !== undefined) return engineSteps(provider, engine, chosen, query, context);
    if (provider.images !== undefined) return steps(provider, provider.images, query, context);
    return mappedSteps(provider, query, context, (images) =>
      images.map((image) => asImageResult(image, provider.name)),
    );
  });
}

/** The steps of a search for pictures that may be used: what no license clears is no result. */
export function clearedImageSteps(query: SearchQuery, context: JobContext): Step<ClearedImage>[] {
  const readAt = new Date(context.clock.now()).toISOString();
  return chainOf("LICENSED_IMAGE_CHAIN", context.config).flatMap((provider) =>
    mappedSteps(provider, query, context, (images) => clearedOnes(images, readAt)),
  );
}

function steps<R>(
  provider: Provider,
  capability: Capability<SearchQuery, R> | undefined,
  query: SearchQuery,
  context: JobContext,
): Step<R>[] {
  if (capability === undefined) return [];
  return rotated(stepsOf(provider, capability, query, context.config, context.door, context.clock.now(), context.pace));
}

/** The steps of a provider of licensed pictures in another search than theirs; those that `map` drops are no results. */
function mappedSteps<R>(
  provider: Provider,
  query: SearchQuery,
  context: JobContext,
  map: (images: readonly LicensedImage[]) => readonly R[],
): Step<R>[] {
  return rotated(
    licensedSteps(provider, licensedQuery(query), context).map((step) => ({
      ...step,
      run: async (signal) => {
        const outcome = await step.run(signal);
        if (outcome.kind !== "hit") return outcome;
        const { results, cached } = outcome;
        return { ...hitOrEmpty(map(results)), ...(cached ? { cached } : {}) };
      },
    })),
  );
}

/** A licensed picture as a row of a plain image search. */
export function asImageResult(image: Omit<LicensedImage, "license">, source: string): ImageResult {
  const size = image.fetchable ?? image;
  return {
    title: image.title,
    imageUrl: image.downloadUrl,
    thumbnailUrl: image.previewUrl,
    ...(size.width > 0 && size.height > 0 ? { width: size.width, height: size.height } : {}),
    link: image.sourcePageUrl,
    source,
  };
}
