import { TIME_LIMITS_MS } from "../../src/time-limits.ts";

/** What a busy machine of two cores may add to any answer, milliseconds. */
const MARGIN_MS = 20_000;
const DEFAULT_MS = 10_000;

/** How long an operation may take at most by its own limits, milliseconds. */
const OPERATIONS: Readonly<Record<string, number>> = {
  searchGen: TIME_LIMITS_MS.search,
  webSearch: TIME_LIMITS_MS.search,
  imageSearch: TIME_LIMITS_MS.search,
  answer: TIME_LIMITS_MS.answer,
  callTool: TIME_LIMITS_MS.reverseImage,
  reverseImage: TIME_LIMITS_MS.reverseImage,
  callMcp: TIME_LIMITS_MS.acquireImage,
  acquireImage: TIME_LIMITS_MS.acquireImage,
  promoteCandidate: TIME_LIMITS_MS.acquireImage,
  replaceFromUrl: 60_000,
  uploadImage: 60_000,
  promoteReviewed: 60_000,
  showReviewPage: 60_000,
  replaceReviewedFromUrl: 60_000,
  streamChat: 120_000,
  // Ends with its batch.
  watchBatch: 900_000,
};

export function limitOf(operationId: string): number {
  return (OPERATIONS[operationId] ?? DEFAULT_MS) + MARGIN_MS;
}
