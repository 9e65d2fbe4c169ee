import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import type { Health } from "../src/cascade/health.ts";
import type { Config } from "../src/config.ts";
import { SluiceError } from "../src/errors.ts";
import { accountsOf } from "../src/providers/call.ts";
import { PROVIDERS, sunsetOn } from "../src/providers/registry.ts";
import type { Provider } from "../src/providers/types.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, healthOf } from "./context.ts";
import { PROVIDER } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly } from "./guards.ts";
import { json, keyWith, problemAnswers } from "./schemas.ts";

const OFFERS = ["web", "images", "licensed_images", "reverse_images", "repositories", "answers"] as const;
type Offer = (typeof OFFERS)[number];

const PATH = "/v1/providers";

const STATUSES = ["ready", "suspended", "unconfigured", "ended"] as const;
type Status = (typeof STATUSES)[number];

const providerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    homepage: z.string(),
    offers: z.array(z.enum(OFFERS)),
    status: z.enum(STATUSES).openapi({
      description: "`suspended` when none of its accounts may be called now",
    }),
    needs: z.array(z.array(z.string())).openapi({
      description: "Settings: each inner list is one account, and all of it must be set; an empty one needs nothing",
    }),
    accounts: z
      .array(
        z.object({
          name: z.string().openapi({ description: "As `attempts` name it", example: "google-cse#2" }),
          suspended_until: z.iso.datetime().nullable(),
          reason: z.string().nullable(),
        }),
      )
      .openapi({ description: "Those that are configured" }),
    latency_ms: z
      .object({ p50: z.int(), p95: z.int(), samples: z.int() })
      .nullable()
      .openapi({ description: "Of its last 100 answers at most, those of further engines left out; null before any" }),
    sunset: z.iso.date().nullable().openapi({ description: "First day (UTC) on which it is no longer called" }),
    limits: z.object({
      query_length: z.int().nullable(),
      page_size: z.int(),
      rate: z.string(),
      slots: z.int().nullable().openapi({ description: "Calls that may be under way at once, over all tenants" }),
    }),
  })
  .openapi("Provider");

/** Whoever searches may see what is asked, and whoever runs the deployment. */
const requireSearchOrAdmin = createMiddleware<AppEnv>(async (c, next) => {
  try {
    await requireScope("search")(c, next);
  } catch (error) {
    if (!(error instanceof SluiceError && error.code === "forbidden")) throw error;
    await requireScope("admin")(c, next);
  }
});

const route = createRoute({
  method: "get",
  path: PATH,
  operationId: "listProviders",
  summary:
    "Every provider: what it offers, what it needs, how fast it answers, and whether it is suspended, until when and why",
  tags: ["Deployment"],
  security: [...keyWith("search"), ...keyWith("admin")],
  middleware: [requireSearchOrAdmin] as const,
  responses: {
    200: json("All of them, in the order of the registry", z.object({ providers: z.array(providerSchema) }), {
      providers: [PROVIDER],
    }),
    ...problemAnswers(401, 403),
  },
});

export function providerRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const { health } = await healthOf(c, "now");
    const ended = new Set(sunsetOn(new Date(c.var.clock.now()).toISOString().slice(0, 10)));
    const providers = PROVIDERS.map((provider) => providerBody(provider, c.var.config, health, ended.has(provider)));
    c.header("cache-control", "no-store");
    return c.json({ providers }, 200);
  });
  allowOnly(app, PATH, ["GET"]);
  return app;
}

function providerBody(provider: Provider, config: Config, health: Health, ended: boolean) {
  const accounts = accountsOf(provider, config).map(({ name }) => {
    const suspension = health.suspension(name);
    return {
      name,
      suspended_until: suspension === undefined ? null : new Date(suspension.until).toISOString(),
      reason: suspension?.reason ?? null,
    };
  });
  return {
    id: provider.id,
    name: provider.name,
    homepage: provider.homepage,
    offers: offersOf(provider),
    status: statusOf(accounts, ended),
    needs: provider.credentialSets.map((set) => Object.values(set)),
    accounts,
    latency_ms: health.latency?.(provider.id) ?? null,
    sunset: provider.sunset ?? null,
    limits: {
      query_length: provider.limits.queryLength ?? null,
      page_size: provider.limits.pageSize,
      rate: provider.limits.rate,
      slots: provider.slots ?? null,
    },
  };
}

function offersOf(provider: Provider): Offer[] {
  const has: Readonly<Record<Offer, unknown>> = {
    web: provider.web ?? provider.webEngines,
    images: provider.images ?? provider.imageEngines,
    licensed_images: provider.licensedImages,
    reverse_images: provider.reverseEngines,
    repositories: provider.repositories,
    answers: provider.answers,
  };
  return OFFERS.filter((offer) => has[offer] !== undefined);
}

function statusOf(accounts: readonly { suspended_until: string | null }[], ended: boolean): Status {
  if (ended) return "ended";
  if (accounts.length === 0) return "unconfigured";
  return accounts.every((account) => account.suspended_until !== null) ? "suspended" : "ready";
}
