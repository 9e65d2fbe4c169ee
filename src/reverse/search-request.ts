import { reverseImage, type ReverseAnswer } from "./answer.ts";
import { imageAt, imageIn } from "./hosted-image.ts";
import { type HostingOptions, hostImage } from "./hosting.ts";
import type { ReverseImageRequest } from "./request.ts";

export interface ReverseSearchOptions extends HostingOptions {
  waitUntil(work: Promise<unknown>): void;
}

/** A search by an image that is on the web, or came in the request: that one is hosted for as long as a search takes. */
export async function searchByImage(
  request: ReverseImageRequest,
  options: ReverseSearchOptions,
): Promise<ReverseAnswer> {
  const { image_url: url, image_data_url: dataUrl, ...choices } = request;
  const sent = dataUrl === undefined ? undefined : imageIn(dataUrl, (data) => hostImage(data, options));
  try {
    return await reverseImage(sent ?? imageAt(url ?? ""), choices, options.context);
  } finally {
    if (sent !== undefined) options.waitUntil(sent.remove());
  }
}
