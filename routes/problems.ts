import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { FieldFault, ProblemCode } from "../src/errors.ts";

interface ProblemKind {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  /** What the caller or the operator can do. */
  readonly remedy: string;
}

/** The one table of everything that can be answered as an error. `docs/problems.md` is made from it. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  "invalid-request": {
    status: 400,
    title: "The request is not valid",
    remedy: "`errors` names each field by its JSON pointer and says what is wrong with it.",
  },
  "not-json": { status: 400, title: "The body is not JSON", remedy: "Send one JSON object, encoded as UTF-8." },
  "unsupported-media-type": {
    status: 415,
    title: "The body has the wrong type",
    remedy: "Send `Content-Type: application/json`.",
  },
  "body-too-large": {
    status: 413,
    title: "The body is too large",
    remedy: "`detail` names the limit. Send less, or in several requests.",
  },
  "body-too-slow": {
    status: 408,
    title: "The body stopped coming",
    remedy: "Send the request again, without long pauses.",
  },
  unauthorized: {
    status: 401,
    title: "No valid key",
    remedy:
      "Send a key as `Authorization: Bearer`, as the password of Basic, or as `?key=`. A deployment takes the keys whose SHA-256 stands in its setting API_KEYS.",
  },
  forbidden: {
    status: 403,
    title: "The key or link may not do this",
    remedy: "`detail` names the scope that the key lacks, or the action that the link does not allow.",
  },
  "not-found": {
    status: 404,
    title: "There is nothing here",
    remedy: "Check the address, the project and the filename.",
  },
  "method-not-allowed": {
    status: 405,
    title: "The method is not allowed here",
    remedy: "The `Allow` header lists those that are.",
  },
  "invalid-filename": {
    status: 400,
    title: "The filename cannot be used",
    remedy: "Give a bare name without a path that ends in .jpg, .jpeg, .png or .webp.",
  },
  "filename-conflict": {
    status: 409,
    title: "The filename differs only in case from one that exists",
    remedy: "Use the existing spelling to replace that image, or another name.",
  },
  "stem-conflict": {
    status: 409,
    title: "Another image has this name with another extension",
    remedy: "Candidates and review pictures lie under the name without its extension: use another name.",
  },
  "manual-image-kept": {
    status: 409,
    title: "A manually chosen image is never replaced by a search",
    remedy: "Remove the image first, or search under another filename.",
  },
  "late-attempt": {
    status: 409,
    title: "A later attempt has taken over",
    remedy: "Nothing was changed. The batch goes on by itself.",
  },
  "batch-ended": {
    status: 409,
    title: "The batch was cancelled",
    remedy: "Send its `image_queries.json` again as a new batch.",
  },
  "row-running": {
    status: 409,
    title: "The row is running",
    remedy: "Wait for its end, then change it.",
  },
  "idempotency-mismatch": {
    status: 422,
    title: "The Idempotency-Key belongs to another body",
    remedy: "Use a new key for a new request.",
  },
  "idempotency-in-flight": {
    status: 409,
    title: "The first request with this Idempotency-Key is still being answered",
    remedy: "Send it again in a moment.",
  },
  "no-match": {
    status: 422,
    title: "Every provider answered and no image qualifies",
    remedy:
      "Try a more precise query, query variants, another provider, smaller size floors, or without `strict_no_attribution`. `rejected` counts why candidates fell out.",
  },
  "no-pool": {
    status: 409,
    title: "There is no candidate pool for this",
    remedy: "Ask for page 1 with `save_candidates: true`. Any change of the request makes a new pool.",
  },
  "pool-exhausted": {
    status: 409,
    title: "The page lies past the end of the candidate pool",
    remedy:
      "Nothing was changed. Choose from the pages before, or add a materially different query variant and start again at page 1.",
  },
  "previews-failed": {
    status: 502,
    title: "No preview could be read",
    remedy: "`unavailable` says why for each. The same request may work later.",
  },
  "originals-failed": {
    status: 502,
    title: "No original could be downloaded",
    remedy: "`originals` says why for each. The same request may work later.",
  },
  "promotion-failed": {
    status: 422,
    title: "The chosen original cannot be used",
    remedy: "Nothing was changed. Choose another candidate; `reason` says whether the same one could work later.",
  },
  "identity-unconfirmed": {
    status: 409,
    title: "The candidate is a near match",
    remedy:
      "Its metadata does not name everything in `required_terms`. Look at it, and promote it with `identity_confirmed: true` when it shows the right subject.",
  },
  "image-refused": {
    status: 422,
    title: "The image cannot be used",
    remedy: "Nothing was changed. Send a complete JPEG, PNG or WebP that is large enough.",
  },
  "providers-failed": {
    status: 502,
    title: "The providers failed",
    remedy: "`attempts` says what happened at each. The same request may work later.",
  },
  "no-provider": {
    status: 503,
    title: "No provider can be called",
    remedy: "`attempts` says of each why: the setting that is missing, or when a used-up budget begins anew.",
  },
  misconfigured: {
    status: 503,
    title: "The deployment is not configured for this",
    remedy: "`detail` names the setting. It is for whoever runs this deployment.",
  },
  "link-invalid": {
    status: 403,
    title: "The link is not valid",
    remedy: "It has expired or was changed. Ask for a new one where you got it.",
  },
  "rate-limited": {
    status: 429,
    title: "Too many requests with this key or link",
    remedy:
      "Wait for the seconds that `Retry-After` names. `RateLimit` on every answer says how many requests are left.",
  },
  internal: {
    status: 500,
    title: "Something broke here",
    remedy: "Report it with the `request_id`; the log holds the cause.",
  },
};

export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly faults?: readonly FieldFault[];
  readonly context?: Readonly<Record<string, unknown>>;
}

/** An RFC 9457 problem. `extra` are members that one route's own contract adds. */
export function problemResponse(
  c: Context,
  problem: Problem,
  requestId: string,
  extra: Readonly<Record<string, unknown>> = {},
): Response {
  const kind = PROBLEMS[problem.code];
  return c.json(
    {
      ...extra,
      type: new URL(`/problems/${problem.code}`, c.req.url).href,
      title: kind.title,
      status: kind.status,
      detail: problem.detail,
      code: problem.code,
      request_id: requestId,
      ...(problem.faults?.length ? { errors: problem.faults } : {}),
      ...problem.context,
    },
    kind.status,
    {
      "content-type": "application/problem+json",
      ...(kind.status === 401 ? { "www-authenticate": 'Bearer realm="Sluice"' } : {}),
    },
  );
}
