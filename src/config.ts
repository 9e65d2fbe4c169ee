/**
 * Variables and secrets → one typed Config. Nobody else reads them.
 */
import { z } from "zod";
import { SluiceError } from "./errors.ts";

/** Every setting that belongs to a provider. The registry names them; a name that is not here does not compile. */
export const PROVIDER_SETTINGS = [
  "SERPAPI_API_KEY",
  "GOOGLE_SEARCH_API_KEY_1",
  "GOOGLE_SEARCH_API_KEY_2",
  "GOOGLE_CSE_ID",
  "SERPER_API_KEY",
  "BRAVE_API_KEY",
  "SEARXNG_URL",
  "PEXELS_API_KEY",
  "PIXABAY_API_KEY",
  "SAUCENAO_API_KEY",
  "GITHUB_TOKEN",
  "IMGBB_API_KEY",
  "GEMINI_API_KEY",
  "TAVILY_API_KEY",
] as const;

export type ProviderSetting = (typeof PROVIDER_SETTINGS)[number];

export const SCOPES = ["search", "images", "batches", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

const TENANT_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

const apiKeySchema = z.strictObject({
  /** SHA-256 of the key in hexadecimal: the key itself is stored nowhere. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  tenant: z.string().regex(TENANT_NAME),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .default([...SCOPES]),
  /** Without them nothing is limited. */
  limits: z
    .strictObject({
      /** Requests in a minute, over the long run. */
      per_minute: z.int().min(1).optional(),
      /** Requests that may come at once; `per_minute` where missing. */
      burst: z.int().min(1).optional(),
      /** Calls to providers in a day (UTC). */
      upstream_per_day: z.int().min(1).optional(),
    })
    .default({}),
});

const webhooksSchema = z.record(
  z.string().regex(TENANT_NAME),
  z.strictObject({
    /** `whsec_` and base64. All of them sign and verify, so that they can be rotated. */
    secrets: z
      .array(z.string().regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/))
      .min(1)
      .max(4),
    /** Where batches without a webhook of their own report to. */
    url: z.url({ protocol: /^https$/ }).optional(),
  }),
);

/** Per tenant. */
export type WebhookSettings = z.infer<typeof webhooksSchema>[string];

export type ApiKey = z.infer<typeof apiKeySchema>;

export interface Config {
  readonly providerSettings: Readonly<Partial<Record<ProviderSetting, string>>>;
  readonly apiKeys: readonly ApiKey[];
  readonly webhooks: Readonly<Record<string, WebhookSettings>>;
  /** A tenant that needs no key: for a service on one's own machine. */
  readonly localTenant?: string;
  /** Origin under which callers reach this service, without a trailing slash. */
  readonly publicUrl?: string;
  /** Origins whose pages may read answers. */
  readonly corsOrigins: readonly string[];
  /** The first signs; all verify. */
  readonly signingSecrets: readonly string[];
  readonly egress: {
    readonly proxy?: string;
    readonly allowHttp: boolean;
    readonly userAgent: string;
    /** `host[:port]` of what the operator runs or chose: SearXNG, the chat model. They alone may be private. */
    readonly operatorHosts: readonly string[];
  };
  /** Provider ids in order, where the operator chose them; checked against the registry by whoever runs the chain. */
  readonly chains: Readonly<Partial<Record<ChainSetting, readonly string[]>>>;
  readonly searchMirror: boolean;
  /** When a slow provider gets company; without `afterMs` after what it took lately. */
  readonly hedging: "off" | { readonly afterMs?: number };
  /** Results are kept and given again, as long as their providers allow. */
  readonly cache: boolean;
  /** Tried before the default list of Gemini models. */
  readonly geminiModel?: string;
  /** The OpenAI-compatible endpoint that chat answers come from. */
  readonly chat?: { readonly baseUrl: string; readonly apiKey?: string; readonly model: string };
  /** All values that must never be seen outside. */
  readonly secrets: readonly string[];
}

export const CHAIN_SETTINGS = ["WEB_CHAIN", "IMAGE_CHAIN", "LICENSED_IMAGE_CHAIN"] as const;
export type ChainSetting = (typeof CHAIN_SETTINGS)[number];

/** What docs/configuration.md says of the settings that belong to no provider. */
export const SERVICE_SETTINGS: readonly {
  readonly name: string;
  readonly secret: boolean;
  readonly meaning: string;
}[] = [
  {
    name: "API_KEYS",
    secret: true,
    meaning:
      'Who may call: a JSON array of `{"sha256", "tenant", "scopes"?, "limits"?: {"per_minute"?, "burst"?, "upstream_per_day"?}}`; `sha256` is the hexadecimal digest of the key',
  },
  {
    name: "WEBHOOKS",
    secret: true,
    meaning:
      'Signing secrets of webhooks: JSON `{"<tenant>": {"secrets": ["whsec_..."], "url"?}}`; all of them sign and verify, so that they can be rotated',
  },
  {
    name: "LOCAL_TENANT",
    secret: false,
    meaning: "A tenant name that needs no key, for a service on your own machine",
  },
  {
    name: "PUBLIC_URL",
    secret: false,
    meaning: "The origin under which callers reach the service; signed links start with it",
  },
  {
    name: "CORS_ORIGINS",
    secret: false,
    meaning:
      "Origins whose pages may call the service and read its answers, comma-separated: `https://app.example`; none without it",
  },
  { name: "SIGNING_SECRET", secret: true, meaning: "Signs links, 32 characters or more" },
  { name: "SIGNING_SECRET_PREVIOUS", secret: true, meaning: "Still verifies links while the secret is being rotated" },
  {
    name: "CONTACT",
    secret: false,
    meaning: "URL and e-mail in our User-Agent; Wikimedia refuses callers without one",
  },
  {
    name: "SEARCH_MIRROR",
    secret: false,
    meaning: "`on` stores the images of `POST /search` in R2 and returns URLs of our own",
  },
  {
    name: "CACHE",
    secret: false,
    meaning: "`off` keeps no results; otherwise they are given again for as long as their providers allow",
  },
  {
    name: "HEDGE_AFTER_MS",
    secret: false,
    meaning:
      "Milliseconds after which a provider counts as slow and the next one is asked beside it; `off` never does. Without it: the provider's recent p95, at least 800",
  },
  { name: "GEMINI_MODEL", secret: false, meaning: "A Gemini model that is tried before the default list" },
  { name: "CHAT_BASE_URL", secret: false, meaning: "OpenAI-compatible endpoint for chat answers, up to `/v1`" },
  { name: "CHAT_API_KEY", secret: true, meaning: "Its key, where it needs one" },
  { name: "CHAT_MODEL", secret: false, meaning: "The model to ask there" },
  { name: "WEB_CHAIN", secret: false, meaning: "Provider ids for web search, in order, comma-separated" },
  { name: "IMAGE_CHAIN", secret: false, meaning: "The same for image search" },
  { name: "LICENSED_IMAGE_CHAIN", secret: false, meaning: "The same for license-cleared images" },
  {
    name: "EGRESS_PROXY",
    secret: false,
    meaning: "`http://host:port` that is asked for `/host/path` instead of `https://host/path`",
  },
  { name: "ALLOW_HTTP", secret: false, meaning: "`on` lets plain http URLs out" },
];

export const VERSION = "0.1";

const read = new WeakMap<object, Config>();

/** What `readConfig` says of these bindings, read once: an isolate has the same ones for all of its requests. */
export function configOf(env: object): Config {
  const known = read.get(env);
  if (known !== undefined) return known;
  const config = readConfig({ ...env });
  read.set(env, config);
  return config;
}

/** Throws `misconfigured`, naming the setting and never its value. */
export function readConfig(env: Readonly<Record<string, unknown>>): Config {
  const text = (name: string): string | undefined => {
    const value = env[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const providerSettings: Partial<Record<ProviderSetting, string>> = {};
  for (const name of PROVIDER_SETTINGS) {
    const value = text(name);
    if (value !== undefined) providerSettings[name] = value;
  }
  const searxng = providerSettings.SEARXNG_URL;
  if (searxng !== undefined) origin("SEARXNG_URL", searxng);

  const publicUrl = text("PUBLIC_URL");
  const proxy = text("EGRESS_PROXY");
  const signingSecrets = ["SIGNING_SECRET", "SIGNING_SECRET_PREVIOUS"].flatMap((name) => secretOf(name, text(name)));
  const chains: Partial<Record<ChainSetting, readonly string[]>> = {};
  for (const name of CHAIN_SETTINGS) {
    const value = text(name);
    if (value !== undefined) chains[name] = value.split(",").map((id) => id.trim());
  }
  const webhooks = readJson("WEBHOOKS", text("WEBHOOKS"), webhooksSchema) ?? {};
  const chat = chatSettings(text);
  const chatKey = text("CHAT_API_KEY");
  const webhookSecrets = Object.values(webhooks).flatMap(({ secrets }) => secrets);
  const keys = Object.entries(providerSettings).flatMap(([name, value]) => (name === "SEARXNG_URL" ? [] : [value]));
  return {
    providerSettings,
    apiKeys: readJson("API_KEYS", text("API_KEYS"), z.array(apiKeySchema)) ?? [],
    webhooks,
    ...optional("localTenant", tenant(text("LOCAL_TENANT"))),
    ...optional("publicUrl", publicUrl === undefined ? undefined : origin("PUBLIC_URL", publicUrl)),
    corsOrigins: originsIn("CORS_ORIGINS", text("CORS_ORIGINS")),
    signingSecrets,
    egress: {
      ...optional("proxy", proxy),
      allowHttp: flag("ALLOW_HTTP", text("ALLOW_HTTP")),
      userAgent: userAgent([publicUrl, text("CONTACT")]),
      operatorHosts: [searxng, chat?.baseUrl].flatMap((url) => (url === undefined ? [] : [new URL(url).host])),
    },
    chains,
    ...optional("geminiModel", text("GEMINI_MODEL")),
    ...optional("chat", chat),
    hedging: hedging(text("HEDGE_AFTER_MS")),
    searchMirror: flag("SEARCH_MIRROR", text("SEARCH_MIRROR")),
    cache: flag("CACHE", text("CACHE") ?? "on"),
    secrets: [...keys, ...signingSecrets, ...webhookSecrets, ...(chatKey === undefined ? [] : [chatKey])],
  };
}

/** A setting that holds JSON; says where it is wrong, and never what stands there. */
function readJson<S extends z.ZodType>(name: string, value: string | undefined, schema: S): z.infer<S> | undefined {
  if (value === undefined) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(value);
  } catch {
    throw misconfigured(name, "is not JSON");
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw misconfigured(name, `is wrong at /${issue.path.join("/")}: ${issue.code}`);
}

function chatSettings(text: (name: string) => string | undefined): Config["chat"] {
  const baseUrl = text("CHAT_BASE_URL");
  if (baseUrl === undefined) return undefined;
  const model = text("CHAT_MODEL");
  if (model === undefined) throw misconfigured("CHAT_MODEL", "is missing, but CHAT_BASE_URL is there");
  return { baseUrl: origin("CHAT_BASE_URL", baseUrl), model, ...optional("apiKey", text("CHAT_API_KEY")) };
}

function tenant(value: string | undefined): string | undefined {
  if (value !== undefined && !TENANT_NAME.test(value)) {
    throw misconfigured("LOCAL_TENANT", "must be lower-case letters, digits and hyphens, at most 40");
  }
  return value;
}

function origin(name: string, value: string): string {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw misconfigured(name, "is not a URL");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw misconfigured(name, "is not an http(s) URL");
  return value.replace(/\/+$/, "");
}

/** Origins as browsers write them: a wildcard, `null` or a path would never match, or match too much. */
function originsIn(name: string, value: string | undefined): string[] {
  const origins = value?.split(",").map((each) => each.trim()) ?? [];
  if (origins.every((each) => /^https?:[^*]+$/.test(each) && URL.canParse(each) && new URL(each).origin === each)) {
    return origins;
  }
  throw misconfigured(name, "must list origins as browsers send them, such as `https://app.example`");
}

function secretOf(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  if (value.length < 32) throw misconfigured(name, "is shorter than 32 characters");
  return [value];
}

function flag(name: string, value: string | undefined): boolean {
  if (value === undefined || value === "off") return false;
  if (value === "on") return true;
  throw misconfigured(name, "must be `on` or `off`");
}

function hedging(value: string | undefined): Config["hedging"] {
  if (value === undefined) return {};
  if (value === "off") return "off";
  const afterMs = Number(value);
  if (/^\d+$/.test(value) && afterMs >= 1 && afterMs <= 60_000) return { afterMs };
  throw misconfigured("HEDGE_AFTER_MS", "must be `off` or whole milliseconds from 1 to 60000");
}

function userAgent(contacts: readonly (string | undefined)[]): string {
  const known = contacts.filter((contact) => contact !== undefined);
  return `Sluice/${VERSION}${known.length === 0 ? "" : ` (${known.join("; ")})`}`;
}

function optional<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

function misconfigured(name: string, what: string): SluiceError {
  return new SluiceError("misconfigured", `The setting ${name} ${what}.`);
}
