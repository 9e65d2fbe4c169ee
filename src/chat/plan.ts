import { refusal } from "../egress/address-guard.ts";
import type { ToolInput } from "../tools/types.ts";
import { decideSearch, type SearchDecision } from "./auto-trigger.ts";
import { withoutCode } from "./message-text.ts";
import type { ChatRequest } from "./request.ts";

export interface Plan {
  readonly decision: SearchDecision;
  /** The chosen ones in their order, then what the message itself asks for. */
  readonly tools: readonly string[];
  readonly input: ToolInput;
}

/** Where nothing else is known, people search in the language that they chat in, and engines that are told nothing answer as in the US. */
const REGIONS = { vi: { locale: "vi", country: "vn" }, en: { locale: "en" } } as const;

/** Search engines cut or refuse longer ones. */
const LONGEST_QUERY = 400;

/** Which tools a request runs and with what. */
export function planOf(request: ChatRequest): Plan {
  const { message, tools, images, language, search } = request;
  const decision = decideSearch({ message, tools, mode: search, hasImage: images.length > 0 });
  const address = imageAddress(message, images.length > 0);
  return {
    decision,
    tools: [...new Set([...tools, ...decision.added])],
    input: {
      query: queryOf(message),
      language,
      ...REGIONS[language],
      ...(address === undefined ? {} : { imageUrl: address }),
      ...(images[0] === undefined ? {} : { imageData: images[0] }),
    },
  };
}

/** The message as a search engine takes it: one line of bounded length, without code. */
function queryOf(message: string): string {
  const line = (withoutCode(message).trim() || message).replaceAll(/\s+/g, " ").trim();
  if (line.length <= LONGEST_QUERY) return line;
  const cut = line.slice(0, LONGEST_QUERY);
  return cut.slice(0, Math.max(cut.lastIndexOf(" "), LONGEST_QUERY / 2));
}

const IMAGE_PATH = /\.(?:jpe?g|png|gif|webp)$/i;

/**
 * The image that the message points at: an address that ends like one, before any attachment; any other address only
 * where nothing is attached. Addresses that may not be asked for are passed over.
 */
function imageAddress(message: string, hasAttachment: boolean): string | undefined {
  const urls = [...message.matchAll(/https?:\/\/[^\s<>"'`]+/gi)]
    .map(([text]) => text.replace(/[.,;:!?)\]}*_]+$/, ""))
    .filter((text) => URL.canParse(text))
    .map((text) => new URL(text))
    .filter((url) => refusal(url, { allowHttp: true }) === undefined);
  const image = urls.find(({ pathname }) => IMAGE_PATH.test(pathname));
  return (image ?? (hasAttachment ? undefined : urls[0]))?.href;
}
