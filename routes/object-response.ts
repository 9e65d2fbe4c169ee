import { z } from "@hono/zod-openapi";

/** Bytes of the type that `Content-Type` says, for an OpenAPI description. */
export const BYTES = z.unknown();

/** R2 bytes as an answer: the stored type, no content-encoding, nothing that a browser could run. */
export function objectResponse(object: R2ObjectBody, caching: "immutable" | "no-cache"): Response {
  const lifetime = caching === "immutable" ? "max-age=31536000, immutable" : "no-cache";
  return new Response(object.body, {
    headers: {
      "content-type": object.httpMetadata?.contentType ?? "application/octet-stream",
      "content-length": String(object.size),
      etag: object.httpEtag,
      // Clients that cannot decode brotli or gzip still announce it; `no-transform` keeps both off.
      "cache-control": `private, ${lifetime}, no-transform`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    },
  });
}
