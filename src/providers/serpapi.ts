import { NAME, QUERY_LENGTH } from "./serpapi/search.ts";
import { bingImages, googleImages, googleImagesLight } from "./serpapi/images.ts";
import { bingReverseImage, googleLens, googleReverseImage, yandexImages } from "./serpapi/reverse.ts";
import { baidu, bing, google, WEB_PAGE } from "./serpapi/web.ts";
import type { Provider } from "./types.ts";

/** Wire: serpapi.com, one account for many engines; each engine's parameters are its own. */
export const serpapi: Provider = {
  id: "serpapi",
  name: NAME,
  homepage: "https://serpapi.com/manage-api-key",
  credentialSets: [{ key: "SERPAPI_API_KEY" }],
  billed: true,
  limits: { queryLength: QUERY_LENGTH, pageSize: WEB_PAGE, rate: "by plan: searches a month and an hourly throughput" },
  /** Its own cache holds answers for an hour. */
  cache: { fresh: 3_600, staleIfError: 604_800 },
  web: google,
  images: googleImagesLight,
  webEngines: { bing, baidu },
  imageEngines: { google_images: googleImages, bing_images: bingImages },
  reverseEngines: {
    google_lens: googleLens,
    google_reverse_image: googleReverseImage,
    yandex_images: yandexImages,
    bing_reverse_image: bingReverseImage,
  },
};
