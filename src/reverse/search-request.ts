import { reverseImage, type ReverseAnswer } from "./answer.ts";
import { type HostingOptions, hostImage } from "./hosting.ts";
import type { ReverseImageRequest } from "./request.ts";

export interface ReverseSearchOptions extends HostingOptions {
  waitUntil(work: Promise<unknown>): void;
}

/** A search by an image that is on the web, or came in the request: that one is hosted for as long as the search takes. */
export async function searchByImage(
  request: ReverseImageRequest,
  options: ReverseSearchOptions,
): Promise<ReverseAnswer> {
  const { image_url: url, image_data_url: dataUrl, ...choices } = request;
  const hosted = dataUrl === undefined ? undefined : await hostImage(dataUrl, options);
  try {
    return await reverseImage(hosted?.url ?? url ?? "", choices, options.context);
  } finally {
    if (hosted !== undefined) options.waitUntil(hosted.remove());
  }
}
