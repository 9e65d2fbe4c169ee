import { z } from "@hono/zod-openapi";
import { attemptSchema } from "../cascade/attempt-schema.ts";
import { neutralise } from "../chat/neutral.ts";
import { candidateFiles, storedBody, storedFields } from "../images/acquired.ts";
import { compactCredit } from "../images/attribution.ts";
import { showCandidates } from "../images/candidates.ts";
import { candidatePageFields, promotionFields } from "../images/choice-fields.ts";
import { projectNameField } from "../project-name.ts";
import { promoteCandidate } from "../images/promote.ts";
import { rowFields, toImageRequest } from "../images/row.ts";
import { candidateFile, candidateTotal, hasMoreCandidates, pageRange, type StoredPool } from "../images/stored-pool.ts";
import { objectKey } from "../storage/objects.ts";
import { TIME_LIMITS_MS } from "../time-limits.ts";
import { type McpTool, tool } from "./tool.ts";
import { UNTRUSTED, untrustedField, webLink } from "./untrusted.ts";

const project = projectNameField.describe("The project that the image belongs to, such as one deck: `deck-7`");
const filename = rowFields.filename.describe(
  "Name of the wanted image, as `jiefangbei.jpg`; .jpg, .jpeg, .png or .webp",
);

const candidateSchema = z.object({
  rank: z.int(),
  candidate: z.string().describe("What `promote_image` takes"),
  title: z.string(),
  author: z.string(),
  provider: z.string(),
  source_page_url: z.string(),
  license_name: z.string(),
  license_url: z.string(),
  license_tier: z.enum(["no-attribution", "attribution-required"]),
  credit: z.string(),
  identity_evidence: z
    .enum(["metadata-verified", "visual-verification-required"])
    .describe("`visual-verification-required`: a near match; the picture itself must show the right subject"),
  missing_required_terms: z.array(z.string()),
  width: z.int(),
  height: z.int(),
});

const show = tool({
  name: "show_candidates",
  title: "Show candidates for an image",
  description:
    "Search license-cleared pictures for one image of a project, and see the best of them on a numbered review sheet. Use it before `promote_image`. The same arguments with `candidate_page` 2, 3, … show further ones; any other change starts a new pool at page 1. Next: look at the sheet, choose by what you see, and call `promote_image` with that `candidate`.",
  scope: "images",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    project,
    ...rowFields,
    filename,
    query: rowFields.query.describe("What the picture must show, in a few concrete words"),
    required_terms: rowFields.required_terms.describe(
      "Names that must be in a picture's metadata, alternatives apart by `|`: `Jiefangbei|解放碑`. Others are near matches",
    ),
    ...candidatePageFields,
  }),
  output: z.object({
    filename: z.string(),
    candidate_page: z.int(),
    candidate_total: z.int(),
    next_candidate_page: z.int().nullable(),
    selected: z.string().nullable().describe("The candidate that was promoted before"),
    candidates: z.array(candidateSchema).describe("Those on the sheet, best first"),
    files: z.object({ candidates: z.string(), review_sheet: z.string() }),
    warnings: z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() })),
    attempts: z.array(attemptSchema),
    ...untrustedField,
  }),
  run: async ({ project: name, candidate_page: page, max_candidates: size, ...row }, services, signal) => {
    const { request, warnings } = toImageRequest(row);
    const sink = services.sink(name);
    const shown = await showCandidates(
      request,
      page,
      size,
      sink,
      await services.job(TIME_LIMITS_MS.acquireImage, signal),
    );
    const { pool, attempts } = shown;
    const candidates = onPage(pool);
    const next = hasMoreCandidates(pool) ? pool.page + 1 : null;
    const sheet = pool.sheet === undefined ? null : await sink.bucket.get(objectKey(sink.tenant, pool.sheet));
    return {
      structured: {
        filename: pool.filename,
        candidate_page: pool.page,
        candidate_total: candidateTotal(pool),
        next_candidate_page: next,
        selected: pool.selected ?? null,
        candidates,
        files: candidateFiles(name, pool.stem),
        warnings: [...warnings],
        attempts: [...attempts],
        ...UNTRUSTED,
      },
      attempts,
      summary: `Page ${pool.page}: ${candidates.length} of ${candidateTotal(pool)} candidates for ${pool.filename}; the sheet has their numbers.`,
      lines: candidates.map(candidateLine),
      next: `Look at the sheet, then call promote_image with the \`candidate\` that fits. ${
        next === null ? "There are no more pages." : `None fits? Call again with candidate_page ${next}.`
      }`,
      ...(sheet === null ? {} : { jpeg: new Uint8Array(await sheet.arrayBuffer()) }),
    };
  },
});

const promote = tool({
  name: "promote_image",
  title: "Store a chosen candidate",
  description:
    "Download one candidate's original and store it in the project under its filename, with license and provenance. Replaces what a search stored there before; never an image that a person chose. Use it after `show_candidates`, once you have looked at the sheet. A near match needs `identity_confirmed: true`, which you may send only when the picture shows the right subject. Next: show the `attribution_text` wherever the image is shown.",
  scope: "images",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    project,
    filename,
    ...promotionFields,
    candidate: promotionFields.candidate.describe("As `show_candidates` names it: `candidate_03.jpg`"),
  }),
  output: z.object({
    ...storedFields,
    item: z.object({
      filename: z.string(),
      provider: z.string(),
      title: z.string(),
      author: z.string(),
      source_page_url: z.string(),
      license_name: z.string(),
      license_tier: z.string(),
      attribution_required: z.boolean(),
      attribution_text: z.string(),
    }),
    ...untrustedField,
  }),
  run: async ({ project: name, filename: image, candidate, identity_confirmed: confirmed }, services, signal) => {
    const context = await services.job(TIME_LIMITS_MS.acquireImage, signal);
    const commit = await promoteCandidate(image, candidate, confirmed, services.sink(name), context);
    await services.reconcile(name, commit);
    const { item } = commit;
    const attribution = neutralise(item.attribution_text);
    return {
      structured: {
        ...storedBody(name, commit),
        item: {
          filename: item.filename,
          provider: item.provider,
          title: neutralise(item.title),
          author: neutralise(item.author),
          source_page_url: webLink(item.source_page_url),
          license_name: item.license_name,
          license_tier: item.license_tier,
          attribution_required: item.attribution_required,
          attribution_text: attribution,
        },
        ...UNTRUSTED,
      },
      summary: `${image} is stored: ${commit.bytes} bytes of ${commit.contentType}, license ${item.license_name}.`,
      lines: attribution === "" ? [] : [attribution],
      next: item.attribution_required
        ? "Its license asks for this attribution wherever the image is shown."
        : "Its license asks for no attribution.",
    };
  },
});

/** Tools that bring images into a project. */
export const IMAGE_TOOLS: readonly McpTool[] = [show, promote];

function onPage(pool: StoredPool): z.infer<typeof candidateSchema>[] {
  const { first, end } = pageRange(pool.page, pool.pageSize);
  return pool.shown.slice(first - 1, end).map(({ index }, offset) => {
    const { candidate, identityEvidence, missingRequiredTerms } = pool.ranked[index]!;
    const { license } = candidate;
    return {
      rank: first + offset,
      candidate: candidateFile(first + offset),
      title: neutralise(candidate.title),
      author: neutralise(candidate.author),
      provider: candidate.provider,
      source_page_url: webLink(candidate.sourcePageUrl),
      license_name: license.name,
      license_url: webLink(license.url),
      license_tier: license.tier,
      credit: neutralise(compactCredit(candidate).plain),
      identity_evidence: identityEvidence,
      missing_required_terms: [...missingRequiredTerms],
      width: candidate.width,
      height: candidate.height,
    };
  });
}

function candidateLine(each: z.infer<typeof candidateSchema>): string {
  const near =
    each.identity_evidence === "visual-verification-required"
      ? `; NEAR MATCH, its metadata lacks ${each.missing_required_terms.join(", ")}`
      : "";
  return `${each.candidate}: ${each.title} (${each.license_name}, ${each.width}x${each.height}${near})`;
}
