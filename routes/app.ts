import { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import type { Attempt } from "../src/cascade/attempt.ts";
import type { Clock } from "../src/cascade/deadline.ts";
import { MAX_CHAT_BYTES } from "../src/chat/request.ts";
import { readConfig } from "../src/config.ts";
import { SluiceError } from "../src/errors.ts";
import { MAX_ORIGINAL_BYTES } from "../src/images/original.ts";
import { LimitBook } from "../src/limits/limit-book.ts";
import { LONGEST_DATA_URL } from "../src/reverse/request.ts";
import { answerProblem, answerRoutes } from "./answer.ts";
import { archiveRoutes } from "./archive.ts";
import { batchCheckpointRoutes } from "./batch-checkpoint.ts";
import { batchEventRoutes } from "./batch-events.ts";
import { batchRoutes } from "./batches.ts";
import { chatRoutes } from "./chat.ts";
import type { AppEnv } from "./context.ts";
import { docsRoutes } from "./docs.ts";
import { throwFaults } from "./field-faults.ts";
import { healthRoutes } from "./health.ts";
import { hookRoutes } from "./hooks.ts";
import { imageRoutes } from "./images.ts";
import { importCandidatesRoutes } from "./import-candidates.ts";
import { imageSearchRoutes } from "./image-search.ts";
import { linkRoutes } from "./links.ts";
import { manualImageRoutes } from "./manual-images.ts";
import { mcpRoutes } from "./mcp.ts";
import { openApiRoutes } from "./openapi.ts";
import { pageRoutes } from "./pages.ts";
import { problemRoutes } from "./problem-pages.ts";
import { projectFileRoutes } from "./project-files.ts";
import { projectRoutes } from "./project-list.ts";
import { type Problem, problemResponse } from "./problems.ts";
import { providerRoutes } from "./providers.ts";
import { requestLog } from "./request-log.ts";
import { reverseImageRoutes } from "./reverse-image.ts";
import { reviewLinkRoutes } from "./review-links.ts";
import { reviewRoutes } from "./review.ts";
import { searchGenFailure, searchGenRoutes } from "./searchgen.ts";
import { toolRoutes } from "./tools.ts";
import { webSearchRoutes } from "./web-search.ts";

export type App = OpenAPIHono<AppEnv>;

const MAX_BODY_BYTES = 64 * 1024;
/** A thousand rows, all pages of a deck, or a whole pool of candidates. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Routes whose bodies may be larger than most, the first match counts. */
const BODY_LIMITS: readonly (readonly [RegExp, number])[] = [
  [/\/upload\/?$/, MAX_ORIGINAL_BYTES],
  [/\/(?:batches|checkpoint|candidates)\/?$|^\/v1\/hooks\//, MAX_BATCH_BYTES],
  [/^\/v1\/(?:reverse-image|tools\/)|^\/mcp\/?$/, LONGEST_DATA_URL + MAX_BODY_BYTES],
  [/^\/chat\//, MAX_CHAT_BYTES],
];

const ROUTES = [
  healthRoutes,
  searchGenRoutes,
  answerRoutes,
  webSearchRoutes,
  imageSearchRoutes,
  reverseImageRoutes,
  toolRoutes,
  chatRoutes,
  projectRoutes,
  archiveRoutes,
  imageRoutes,
  manualImageRoutes,
  importCandidatesRoutes,
  reviewLinkRoutes,
  reviewRoutes,
  batchRoutes,
  batchEventRoutes,
  batchCheckpointRoutes,
  hookRoutes,
  projectFileRoutes,
  linkRoutes,
  providerRoutes,
  problemRoutes,
  mcpRoutes,
  docsRoutes,
  pageRoutes,
];

/** The whole HTTP face of Sluice. */
export function createApp(clock: Clock): App {
  const limitBook = new LimitBook();
  // With `strict: false`, `/search/` is `/search`: no redirect, which would turn a POST into a GET.
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.use(async (c, next) => {
    c.set("clock", clock);
    c.set("limitBook", limitBook);
    await next();
  });
  app.use(requestLog);
  app.use(async (c, next) => {
    c.set("config", readConfig(c.env as unknown as Record<string, unknown>));
    await next();
  });
  app.use(secureHeaders({ overwrite: false }));
  app.use((c, next) => bodyLimitFor(c.req.path)(c, next));
  for (const routes of ROUTES) app.route("/", routes());
  app.route("/", openApiRoutes(app));
  app.notFound(() => {
    throw new SluiceError("not-found", "No route has this address.");
  });
  app.onError((error, c) => {
    const problem = problemOf(error);
    c.set("attempts", attemptsOf(error));
    return problemResponse(c, problem, c.var.requestId, {
      ...searchGenFailure(c.req.path, problem.detail),
      ...answerProblem(c.req.path, problem.code),
    });
  });
  return app;
}

/** Before anything of the body is parsed. */
function bodyLimitFor(path: string) {
  const maxSize = BODY_LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? MAX_BODY_BYTES;
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new SluiceError("body-too-large", `The body is over ${maxSize} bytes.`);
    },
  });
}

function problemOf(error: Error): Problem {
  if (error instanceof SluiceError) {
    return { code: error.code, detail: error.message, faults: error.faults, context: error.context };
  }
  // Hono itself throws this for a body that does not parse.
  if (error instanceof HTTPException && error.status === 400) {
    return { code: "not-json", detail: "The body is not valid JSON." };
  }
  return { code: "internal", detail: "The request could not be finished." };
}

function attemptsOf(error: Error): readonly Attempt[] {
  const attempts = error instanceof SluiceError ? error.context["attempts"] : undefined;
  return Array.isArray(attempts) ? (attempts as readonly Attempt[]) : [];
}
