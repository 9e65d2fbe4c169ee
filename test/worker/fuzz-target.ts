import { Webhook } from "standardwebhooks";
import type { FuzzRequest, Target } from "../fuzz/requests.ts";
import { type Document, operationsOf } from "../openapi/document.ts";
import { Gateway } from "./gateway.ts";
import { plainClient, type ToolEntry } from "./mcp-clients.ts";
import { Description } from "./openapi-check.ts";
import { NO_PROVIDERS, World } from "./openapi-world.ts";

const LIMIT_MS = 15_000;
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
  #state = "";
  lastStatus = 0;

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
      token: await this.#world.reviewToken(),
      name: "deck-7.zip",
      id: "google-search",
      code: "no-match",
      path: "image_sources.json",
      tenant: "acme",
    };
    this.#state = await this.#stored();
  }

  operations(): Target[] {
    return operationsOf({ ...this.document, webhooks: {} }).map((each) => ({ ...each, known: this.#known }));
  }

  tools(): Promise<ToolEntry[]> {
    return plainClient(this.#gateway).list();
  }

  async send({ operationId, method, path, headers, body }: FuzzRequest): Promise<Response> {
    const signed = operationId === "receiveHook" && body !== undefined ? signature(body) : [];
    return this.#gateway.fetch(path, {
      method,
      headers: [...signed, ...headers] as [string, string][],
      ...(body === undefined ? {} : { body }),
    });
  }

  /** What is wrong with the answer to a request; nothing where all is well. */
  async faultsOf(request: FuzzRequest): Promise<string[]> {
    let late: ReturnType<typeof setTimeout> | null = null;
    const limit = new Promise<"late">((resolve) => {
      late = setTimeout(() => resolve("late"), LIMIT_MS);
    });
    const logged = this.#gateway.log.length;
    const answer = await Promise.race([this.send(request).catch((error: unknown) => String(error)), limit]);
    clearTimeout(late);
    this.lastStatus = typeof answer === "string" ? 0 : answer.status;
    if (answer === "late") return ["there is no answer in time"];
    if (typeof answer === "string") return [`it throws: ${answer}`];
    const text = await answer.clone().text();
    const faults = [
      ...(answer.status >= 500 && text.includes('"internal"') ? [`it broke: ${this.#gateway.log.slice(logged).join()}`] : []),
      ...(text.includes('"code":"internal"') ? ["an event says that it broke"] : []),
      ...(INSIDES.test(text) && !/\/(?:openapi|docs)/.test(request.path) ? [`it shows our insides: ${text.slice(0, 300)}`] : []),
      ...(this.#gateway.log.slice(logged).some((line) => line.includes('"stack"')) ? ["an error that nobody foresaw"] : []),
      ...(request.isPlain
        ? await this.#description.faultsOf(request.operationId, answer)
        : answer.status < 500
          ? []
          : [`${answer.status}`]),
    ];
    if (!WRITES.test(request.method)) return faults;
    const state = await this.#stored();
    const before = this.#state;
    const changed = state !== before;
    this.#state = state;
    return changed && answer.status >= 400 ? [...faults, `${answer.status}, and yet something is stored: ${difference(before, state)}`] : faults;
  }

  /** Everything that can be seen of the project that is asked for, and which projects there are. */
  async #stored(): Promise<string> {
    const at = `/v1/projects/${this.#world.batches.name}`;
    const parts = await Promise.all(
      [`${at}/images`, `${at}/batches`, `${at}/files/image_queries.json`, "/v1/projects"].map(async (path) =>
        (await this.#gateway.fetch(path)).text(),
      ),
    );
    // An answer that is no success has an id of its own; times change when what was allowed before is written down.
    return parts.map((part) => part.replaceAll(/"(?:request_id|changed_at)":"[^"]*"/g, "")).join("\n");
  }
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

/** Where two texts begin to differ. */
function difference(one: string, other: string): string {
  const at = [...one].findIndex((character, index) => character !== other[index]);
  return `${one.slice(Math.max(0, at - 80), at + 80)} → ${other.slice(Math.max(0, at - 80), at + 80)}`;
}
