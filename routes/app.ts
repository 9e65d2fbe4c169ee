import { OpenAPIHono } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import type { Attempt } from "../src/cascade/attempt.ts";
import type { Clock } from "../src/cascade/deadline.ts";
import { configOf } from "../src/config.ts";
import { SluiceError } from "../src/errors.ts";
import { LimitBook } from "../src/limits/limit-book.ts";
import { answerProblem, answerRoutes } from "./answer.ts";
import { archiveRoutes } from "./archive.ts";
import { batchCheckpointRoutes } from "./batch-checkpoint.ts";
import { batchEventRoutes } from "./batch-events.ts";
import { batchRoutes } from "./batches.ts";
import { chatRoutes } from "./chat.ts";
import type { AppEnv } from "./context.ts";
import { crossOrigin } from "./cors.ts";
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
import { requestBody } from "./request-body.ts";
import { requestLog } from "./request-log.ts";
import { reverseImageRoutes } from "./reverse-image.ts";
import { reviewLinkRoutes } from "./review-links.ts";
import { reviewRoutes } from "./review.ts";
import { searchGenFailure, searchGenRoutes } from "./searchgen.ts";
import { toolRoutes } from "./tools.ts";
import { webSearchRoutes } from "./web-search.ts";

export type App = OpenAPIHono<AppEnv>;

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
  // Around everything that can fail: an error needs them as well. Pages and files have policies of their own.
  app.use(
    secureHeaders({
      overwrite: false,
      xFrameOptions: "DENY",
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
    }),
  );
  app.use(async (c, next) => {
    c.set("config", configOf(c.env));
    await next();
  });
  app.use(crossOrigin);
  app.use(requestBody());
  for (const routes of ROUTES) app.route("/", routes());
  app.route("/", openApiRoutes(app));
  app.notFound(() => {
    throw new SluiceError("not-found", "No route has this address.");
  });
  app.onError((error, c) => {
    const foreseen = foreseenOf(error);
    // The log has the stack of what nobody foresaw, and of nothing else.
    c.error = foreseen ?? error;
    const problem = problemOf(foreseen);
    c.set("attempts", attemptsOf(error));
    return problemResponse(c, problem, c.get("requestId"), {
      ...searchGenFailure(c.req.path, problem.detail),
      ...answerProblem(c.req.path, problem.code),
    });
  });
  return app;
}

function foreseenOf(error: Error): SluiceError | undefined {
  if (error instanceof SluiceError) return error;
  // Hono itself throws these for a body that does not parse, and for one of another type than is described.
  const status = error instanceof HTTPException ? error.status : undefined;
  if (status === 400) return new SluiceError("not-json", "The body is not valid JSON.");
  return status === 415
    ? new SluiceError("unsupported-media-type", "The body has a type that is not taken.")
    : undefined;
}

function problemOf(error: SluiceError | undefined): Problem {
  if (error === undefined) return { code: "internal", detail: "The request could not be finished." };
  return { code: error.code, detail: error.message, faults: error.faults, context: error.context };
}

function attemptsOf(error: Error): readonly Attempt[] {
  const attempts = error instanceof SluiceError ? error.context["attempts"] : undefined;
  return Array.isArray(attempts) ? (attempts as readonly Attempt[]) : [];
}
