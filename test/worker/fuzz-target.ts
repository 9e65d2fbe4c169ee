import { Webhook } from "standardwebhooks";
import type { FuzzRequest, Target } from "../fuzz/requests.ts";
import { type Document, operationsOf } from "../openapi/document.ts";
import { Gateway } from "./gateway.ts";
import { plainClient, type ToolEntry } from "./mcp-clients.ts";
import { Description } from "./openapi-check.ts";
import { NO_PROVIDERS, World } from "./openapi-world.ts";

const LIMIT_MS = 15_000;
/** Stands in an address for the token of a link. */
const FRESH_TOKEN = "fresh-token";
/** Paths of our files, and what engines write in front of a place in them. */
const INSIDES = /\bat (?:async )?\S+ \(\S+:\d+:\d+\)|node_modules|[\w-]+\.tsx?:\d+|"stack":/;
const HOOK_SECRET = `whsec_${btoa("the-secret-of-the-fuzzed-hook-32")}`;
/** Operations that change a project. */
const WRITES = /^(?:PUT|POST|PATCH|DELETE)$/;

/** A deployment whose upstreams answer at once and find nothing, and a project in it. */
export class FuzzTarget {
  readonly #world = new World();
  #gateway!: Gateway;
  #description!: Description;
  #known: Readonly<Record<string, string>> = {};
  #pictureToken = "";
  #links = 0;
  #state: Stored = { names: [], isBusy: false };

  get document(): Document {
    return this.#description.document;
  }

  async build(): Promise<void> {
    this.#description = await Description.fetch();
    await this.#world.build();
    this.#gateway = new Gateway({
      ...NO_PROVIDERS,
      PEXELS_API_KEY: "",
      PIXABAY_API_KEY: "",
      WEBHOOKS: JSON.stringify({ acme: { secrets: [HOOK_SECRET] } }),
    });
    for (const upstream of ["openverse", "wikimedia", "wikipedia", "github"]) {
      await this.#gateway.fault(upstream, { class: "empty" });
    }
    await this.#gateway.fault("chat", { status: 500, body: "{}" });
    this.#known = {
      project: this.#world.batches.name,
      batch: this.#world.batch.id,
      delivery: await this.#world.deliveryId(),
      filename: "alps.jpg",
      token: FRESH_TOKEN,
      name: "deck-7.zip",
      id: "google-search",
      code: "no-match",
      path: "image_sources.json",
      tenant: "acme",
    };
    this.#pictureToken = (await this.#world.pictureLink()).split("/")[2]!;
    this.#state = await this.#stored();
  }

  operations(): Target[] {
    return operationsOf({ ...this.document, webhooks: {} }).map((each) => {
      // What removes things is tried where there is nothing to lose: others come after it.
      if (each.method === "DELETE") return { ...each, known: { ...this.#known, project: "fuzz-gone" } };
      if (each.path.includes("/rows/")) return { ...each, known: { ...this.#known, filename: "none.jpg" } };
      if (each.path.startsWith("/s/")) return { ...each, known: { ...this.#known, token: this.#pictureToken } };
      return { ...each, known: this.#known };
    });
  }

  tools(): Promise<ToolEntry[]> {
    return plainClient(this.#gateway).list();
  }

  async send({ operationId, method, path, headers, body }: FuzzRequest): Promise<Response> {
    const signed = operationId === "receiveHook" && body !== undefined ? signature(body) : [];
    return this.#gateway.fetch(await this.#withToken(path), {
      method,
      headers: [...signed, ...headers] as [string, string][],
      ...(body === undefined ? {} : { body }),
    });
  }

  /** A link of its own for each request: one alone may not act so often. */
  async #withToken(path: string): Promise<string> {
    if (!path.includes(FRESH_TOKEN)) return path;
    const { images } = this.#world;
    const archive = path.startsWith("/archive/");
    const made = await images.gateway.post(
      `${images.path}/${archive ? "archive-link" : "images/alps.jpg/review-link"}`,
      archive ? undefined : { expires_in_seconds: 3_600 + ++this.#links },
    );
    return path.replace(FRESH_TOKEN, new URL((await made.json<{ url: string }>()).url).pathname.split("/")[2]!);
  }

  /** What is wrong with the answer to a request; nothing where all is well. */
  async faultsOf(request: FuzzRequest): Promise<string[]> {
    let late: ReturnType<typeof setTimeout> | null = null;
    const limit = new Promise<"late">((resolve) => {
      late = setTimeout(() => resolve("late"), LIMIT_MS);
    });
    const logged = this.#gateway.log.length;
    const whole = this.send(request).then(async (answer) => ({ answer, text: await answer.text() }));
    const ended = await Promise.race([whole.catch((error: unknown) => String(error)), limit]);
    clearTimeout(late);
    if (ended === "late") return ["there is no whole answer in time"];
    if (typeof ended === "string") return [`it throws: ${ended}`];
    const { answer, text } = ended;
    const faults = [
      ...(answer.status >= 500 && text.includes('"internal"')
        ? [`it broke: ${this.#gateway.log.slice(logged).join()}`]
        : []),
      ...(text.includes('"code":"internal"') ? ["an event says that it broke"] : []),
      ...(INSIDES.test(text) && !/\/(?:openapi|docs)/.test(request.path)
        ? [`it shows our insides: ${text.slice(0, 300)}`]
        : []),
      ...(this.#gateway.log.slice(logged).some((line) => line.includes('"stack"'))
        ? ["an error that nobody foresaw"]
        : []),
      ...(request.isPlain
        ? await this.#description.faultsOf(request.operationId, reread(answer, text))
        : answer.status < 500
          ? []
          : [`${answer.status}`]),
    ];
    if (!WRITES.test(request.method)) return faults;
    const state = await this.#stored();
    const before = this.#state;
    this.#state = state;
    // A batch that runs stores by itself.
    if (answer.status < 400 || before.isBusy) return faults;
    const changed = [...new Set(before.names).symmetricDifference(new Set(state.names))];
    return changed.length === 0 ? faults : [...faults, `${answer.status}, and yet this is changed: ${changed.join()}`];
  }

  /** Which images, batches and projects there are; not how far a batch is that runs by itself. */
  async #stored(): Promise<Stored> {
    const at = `/v1/projects/${this.#world.batches.name}`;
    const read = async <T>(path: string) => (await this.#gateway.fetch(path)).json<T>();
    const { images } = await read<{ images: { item: { filename: string }; sha256: string }[] }>(`${at}/images`);
    const { batches } = await read<{ batches: { id: string; state: string }[] }>(`${at}/batches`);
    const { projects } = await read<{ projects: { project: string }[] }>("/v1/projects");
    const names = [
      ...images.map(({ item, sha256 }) => `${item.filename} ${sha256}`),
      ...batches.map(({ id }) => id),
      ...projects.map(({ project }) => project),
    ];
    return { names, isBusy: batches.some(({ state }) => state === "running") };
  }
}

interface Stored {
  readonly names: readonly string[];
  readonly isBusy: boolean;
}

/** The same answer, to be read again. A clone of a long stream would wait for somebody who reads the first. */
function reread({ status, headers }: Response, text: string): Response {
  return new Response(text === "" ? null : text, { status, headers });
}

/** As its sender would; what stands behind the signature is what is to be tried. */
function signature(body: string | Uint8Array): [string, string][] {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const [id, at] = [`msg_${crypto.randomUUID()}`, new Date()];
  return [
    ["webhook-id", id],
    ["webhook-timestamp", String(Math.floor(at.getTime() / 1000))],
    ["webhook-signature", new Webhook(HOOK_SECRET).sign(id, at, text)],
  ];
}
