import type { Failed, Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { httpUrl, numberOf, objectOf } from "./fields.ts";
import { errorObject, failure, failureByStatus, succeeded, withJson } from "./replies.ts";
import type { Capability, Provider } from "./types.ts";

const NAME = "ImgBB";
const SHORTEST_SECONDS = 60;
/** What people upload to be searched for is theirs: it must be gone soon after. */
const LONGEST_SECONDS = 600;
/** Its number for a key that it does not know. */
const INVALID_KEY = 100;

/** An image to be shown to search engines. */
export interface ImgbbUpload {
  /** Base64, without the head of a data URL. */
  readonly base64: string;
  /** Seconds until ImgBB deletes it; brought within 60 to 600. */
  readonly expiresIn: number;
}

export interface ImgbbImage {
  /** Absolute https: the picture itself, public for as long as it is there. */
  readonly url: string;
}

/** Wire: api.imgbb.com. It searches nothing: `imgbbUpload` puts a picture where search engines can fetch it. */
export const imgbb: Provider = {
  id: "imgbb",
  name: NAME,
  homepage: "https://api.imgbb.com/",
  credentialSets: [{ key: "IMGBB_API_KEY" }],
  limits: { pageSize: 1, rate: "32 MB a picture; not documented" },
  cache: { fresh: 0, staleIfError: 0 },
};

/** `POST /1/upload`; never without an expiration. The key goes in the form, where no log of addresses shows it. */
export const imgbbUpload: Capability<ImgbbUpload, ImgbbImage> = {
  timeLimitMs: 15_000,
  request: ({ base64, expiresIn }, { key = "" }) => ({
    url: "https://api.imgbb.com/1/upload",
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ key, expiration: String(withinBounds(expiresIn)), image: base64 }).toString(),
  }),
  read: (reply) => (succeeded(reply) ? read(reply) : refusal(reply)),
};

function withinBounds(seconds: number): number {
  return Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, Math.round(seconds)));
}

function read(reply: UpstreamReply): Outcome<ImgbbImage> {
  return withJson(reply, NAME, (json) => {
    const url = httpUrl(objectOf(json.data)?.url);
    if (json.success !== true || !url.startsWith("https:")) {
      return failure(reply, "malformed", "ImgBB does not say where the picture is");
    }
    return { kind: "hit", results: [{ url }] };
  });
}

function refusal(reply: UpstreamReply): Failed {
  if (reply.status === 400 && numberOf(objectOf(errorObject(reply).error)?.code) === INVALID_KEY) {
    return failure(reply, "auth", "ImgBB refuses the key: check IMGBB_API_KEY");
  }
  if (reply.status === 400) return failure(reply, "bad-request", "ImgBB does not take this picture");
  return failureByStatus(reply, NAME);
}
