import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import { originalOf } from "./acquire.ts";
import type { ImageCommit, ImageSink } from "./commit.ts";
import { type Original, type OriginalFault, isFault } from "./original.ts";
import { providerItem } from "./provenance.ts";
import type { RankedCandidate } from "./ranking.ts";
import { refreshed } from "./refresh.ts";
import { refuse } from "./refusal.ts";
import { candidateOf, type StoredPool } from "./stored-pool.ts";
import { storeAndCommit } from "./store.ts";

/** Downloads exactly one chosen original and commits it, or changes nothing and says why. */
export async function promoteCandidate(
  filename: string,
  candidateFile: string,
  identityConfirmed: boolean,
  sink: ImageSink,
  context: JobContext,
): Promise<ImageCommit> {
  const pool = await sink.project.pool(filename);
  if (pool === undefined || pool.filename !== filename) {
    throw new SluiceError("no-pool", `There are no candidates for ${filename}. Search with \`save_candidates\` first.`);
  }
  const chosen = candidateOf(pool, candidateFile);
  if (chosen === undefined) {
    throw new SluiceError("not-found", `${candidateFile} is not among the candidates of ${filename} that were shown.`);
  }
  const { identityEvidence, missingRequiredTerms } = chosen.ranked;
  if (identityEvidence === "visual-verification-required" && !identityConfirmed) {
    const detail = `The metadata does not show ${missingRequiredTerms.join(", ")}. Look at the picture, then send \`identity_confirmed: true\`.`;
    throw new SluiceError("identity-unconfirmed", detail);
  }
  refuse(await sink.project.refusalFor(filename, "search"));
  const { choice, original } = await downloaded(chosen.ranked, pool, context);
  const item = providerItem(pool.request, choice, original, {
    status: "promoted",
    selectionMethod: "visual-thumbnail",
    ...(identityEvidence === "visual-verification-required" ? { identityConfirmed: true } : {}),
  });
  const commit = {
    filename,
    item,
    origin: "search" as const,
    selected: { candidate: candidateFile, generation: pool.generation },
  };
  return storeAndCommit(original, commit, choice.candidate.previewUrl, sink, context);
}

async function downloaded(
  ranked: RankedCandidate,
  pool: StoredPool,
  context: JobContext,
): Promise<{ choice: RankedCandidate; original: Original }> {
  let choice = ranked;
  let original = await originalOf(choice, pool.request, context);
  if (isFault(original) && original.kind === "unreachable") {
    // Pixabay's addresses end within a day; the picture itself can still be asked for by its id.
    const candidate = await refreshed(choice.candidate, context);
    if (candidate !== undefined) {
      choice = { ...choice, candidate };
      original = await originalOf(choice, pool.request, context);
    }
  }
  if (isFault(original)) throw promotionFailed(original);
  return { choice, original };
}

function promotionFailed(fault: OriginalFault): SluiceError {
  return new SluiceError("promotion-failed", `The candidate promotion failed: ${fault.detail}. Nothing was changed.`, {
    context: { reason: fault.kind },
  });
}
