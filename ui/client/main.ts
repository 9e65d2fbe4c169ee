import { startBatch } from "./batch.ts";
import { startBatches } from "./batches.ts";
import { startChat } from "./chat.ts";
import { startHome } from "./home.ts";
import { startKeyDialog } from "./key.ts";
import { startReview } from "./review.ts";

const PAGES: Readonly<Record<string, () => void>> = {
  home: startHome,
  batches: startBatches,
  batch: startBatch,
  chat: startChat,
  review: startReview,
};

startKeyDialog();
PAGES[document.body.dataset["page"] ?? ""]?.();
