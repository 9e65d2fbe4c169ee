import type { Attempt } from "../cascade/attempt.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import { clear, type Clearance } from "./clearance.ts";
import { type CommitRefusal, type ImageCommit, type ImageSink, refused } from "./commit.ts";
import { DownloadError, fetchOriginal, storeOriginal } from "./original.ts";
import { providerItem } from "./provenance.ts";
import { type RankedCandidate, rankCandidates } from "./ranking.ts";
import type { ImageRequest } from "./request.ts";
import { searchLicensedImages } from "./search.ts";

export interface AcquiredImage {
  readonly commit: ImageCommit;
  readonly attempts: readonly Attempt[];
}
