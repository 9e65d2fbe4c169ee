import type { Context } from "hono";
import type { StoredRow } from "../durable-objects/batch-rows.ts";
import { compactCredit } from "../src/images/attribution.ts";
import type { ImageRecord } from "../src/images/commit.ts";
import { rankReasons } from "../src/images/rank-reasons.ts";
import { toImageRequest, withRowDefaults } from "../src/images/row.ts";
import {
  candidateFile,
  candidateTotal,
  hasMoreCandidates,
  pageRange,
  type StoredPool,
} from "../src/images/stored-pool.ts";
import type { ReviewResource } from "../src/storage/link-resources.ts";
import { objectKey } from "../src/storage/objects.ts";
import { linkPath } from "../src/storage/public-link.ts";
import type { LinkGrant } from "../src/storage/signed-link.ts";
import { batchOf } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import { type Project, projectOf } from "./projects.ts";
import { orientationSchema, REVIEW_ACTIONS, type ReviewState } from "./review-schemas.ts";

/** Pictures are asked for at once; the same address within the hour lets browsers keep them. */
const PICTURE_SECONDS = 60 * 60;

/** Everything that there is of one filename. */
export interface Reviewed {
  readonly project: Project;
  readonly filename: string;
  readonly row: { readonly batch: string; readonly stored: StoredRow } | undefined;
  readonly pool: StoredPool | undefined;
  readonly image: ImageRecord | undefined;
}

/** Signs the address of a stored object, to be shown under `name`. */
type Picture = (sha256: string, name: string) => Promise<string>;

/** What the caller's project has under a filename: any part of it may be missing. */
export async function reviewedOf(c: Context<AppEnv>, resource: ReviewResource): Promise<Reviewed> {
  const { filename } = resource;
  const project = projectOf(c, resource.project);
  const [batch, pool, image] = await Promise.all([
    project.stub.batchOf(filename),
    project.stub.pool(filename),
    project.stub.image(filename),
  ]);
  const stored = batch === undefined ? undefined : await batchOf(c, project, batch).row(filename);
  return {
    project,
    filename,
    row: batch === undefined || stored === undefined ? undefined : { batch, stored },
    // A name that differs in case only has the same pool, and is another image.
    pool: pool?.filename === filename ? pool : undefined,
    image,
  };
}

/** The review page's state, as `grant` lets it be seen. */
export async function reviewState(c: Context<AppEnv>, grant: LinkGrant, reviewed: Reviewed): Promise<ReviewState> {
  const { project, filename, row, pool, image } = reviewed;
  const picture = pictureOf(c, grant);
  return {
    project: project.identity.project,
    filename,
    actions: REVIEW_ACTIONS.filter((action) => grant.actions.includes(action)),
    expires_at: new Date(grant.expires * 1000).toISOString(),
    intent: intentOf(reviewed),
    row: row === undefined ? null : rowView(row),
    image: image === undefined ? null : await imageView(image, picture),
    page: pool === undefined ? null : pageView(pool),
    candidates: pool === undefined ? [] : await candidateViews(pool, image, picture),
  };
}

function intentOf({ row, pool, image }: Reviewed): ReviewState["intent"] {
  const request = row === undefined ? pool?.request : toImageRequest(withRowDefaults(row.stored.item)).request;
  if (request !== undefined) {
    const reference = row?.stored.item["reference"];
    return {
      query: request.query,
      query_variants: [...request.queryVariants],
      purpose: request.purpose,
      slide: request.slide,
      orientation: request.orientation,
      required_terms: [...request.requiredTerms],
      min_width: request.minWidth ?? null,
      min_height: request.minHeight ?? null,
      strict_no_attribution: request.strictNoAttribution,
      ...(reference === undefined ? {} : { reference }),
    };
  }
  if (image === undefined) return null;
  const { item } = image;
  return {
    query: item.search_query,
    query_variants: "query_variants" in item ? [...(item.query_variants ?? [])] : [],
    purpose: item.purpose,
    slide: item.slide,
    orientation: orientationSchema.catch("any").parse(item.orientation),
    required_terms: [...(item.required_terms ?? [])],
    min_width: null,
    min_height: null,
    strict_no_attribution: "stage" in item && item.stage === "no-attribution-only",
  };
}

function rowView({ batch, stored }: NonNullable<Reviewed["row"]>): ReviewState["row"] {
  const { status, last_error: error } = stored.item;
  return { status, ...(typeof error === "string" ? { last_error: error } : {}), running: stored.running, batch };
}

async function imageView({ filename, item, sha256, review }: ImageRecord, picture: Picture) {
  return {
    picture: await picture(review ?? sha256, review === undefined ? filename : "review.jpg"),
    width: item.width,
    height: item.height,
    license_tier: item.license_tier,
    credit: "credit" in item ? item.credit.plain : "",
    title: item.title,
    source_page_url: item.source_page_url,
  };
}

function pageView(pool: StoredPool): ReviewState["page"] {
  const more = hasMoreCandidates(pool);
  return {
    number: pool.page,
    size: pool.pageSize,
    total: candidateTotal(pool),
    has_more: more,
    next: more ? pool.page + 1 : null,
  };
}

async function candidateViews(
  pool: StoredPool,
  image: ImageRecord | undefined,
  picture: Picture,
): Promise<ReviewState["candidates"]> {
  const { first, end } = pageRange(pool.page, pool.pageSize);
  // A picture that came by its own URL later took the place of the one that was promoted.
  const selected = image?.item.status === "promoted" ? pool.selected : undefined;
  return Promise.all(
    pool.shown.map(async (shown, position) => {
      const { candidate, identityEvidence, missingRequiredTerms } = pool.ranked[shown.index]!;
      const rank = position + 1;
      const file = candidateFile(rank);
      const { license } = candidate;
      return {
        file,
        rank,
        on_page: rank >= first && rank <= end,
        picture: await picture(shown.sha256, file),
        preview_width: shown.width,
        preview_height: shown.height,
        title: candidate.title,
        author: candidate.author,
        source_page_url: candidate.sourcePageUrl,
        provider: candidate.provider,
        license_name: license.name,
        license_url: license.url,
        license_tier: license.tier,
        attribution_required: license.tier === "attribution-required",
        credit: compactCredit(candidate).plain,
        width: candidate.width,
        height: candidate.height,
        why: rankReasons(candidate, pool.request),
        identity_evidence: identityEvidence,
        missing_required_terms: [...missingRequiredTerms],
        selected: file === selected,
      };
    }),
  );
}

/** No picture can be seen longer than the link that showed it. */
function pictureOf(c: Context<AppEnv>, { tenant, expires }: LinkGrant): Picture {
  const now = Math.floor(c.var.clock.now() / 1000);
  const whole = (Math.floor(now / PICTURE_SECONDS) + 2) * PICTURE_SECONDS;
  const until = Math.min(expires, whole);
  return async (sha256, name) => {
    const grant = { tenant, resource: objectKey(tenant, sha256), actions: ["read" as const], expires: until };
    return (await linkPath("s", grant, name, c.var.config)) ?? "";
  };
}
