import { Webhook } from "standardwebhooks";
import { type Batch, Project as BatchProject, row } from "./batch-project.ts";
import { Project as ImageProject } from "./candidate-project.ts";
import { Gateway } from "./gateway.ts";

/** So that nothing can be asked. */
export const NO_PROVIDERS = {
  SERPAPI_API_KEY: "",
  GOOGLE_SEARCH_API_KEY_1: "",
  GOOGLE_SEARCH_API_KEY_2: "",
  SERPER_API_KEY: "",
  BRAVE_API_KEY: "",
  SEARXNG_URL: "",
  GEMINI_API_KEY: "",
  TAVILY_API_KEY: "",
  SAUCENAO_API_KEY: "",
  IMGBB_API_KEY: "",
};

const HOOK_SECRET = `whsec_${btoa("the-secret-of-the-tenant-32-byte")}`;
export const WEBHOOK_SECRET = `whsec_${btoa("a-secret-of-this-one-batch-32-b!")}`;

/** A project with an image and a pool, and one with a batch that has ended: what the operations can be asked of. */
export class World {
  readonly images = new ImageProject();
  readonly batches = new BatchProject();
  /** Where the batch tells what happens to it, at the simulator's receiver. */
  readonly hookPath = `/described-${this.batches.name}`;
  batch!: Batch;

  async build(): Promise<void> {
    await this.images.page();
    const stored = { filename: "airplane.jpg", query: "airplane from above", save_candidates: false };
    if ((await this.images.search(stored)).status !== 201) throw new Error("no image to ask for");
    this.batch = await this.batches.run({
      items: [row("alps.jpg", "french alpine landscape"), row("none.jpg", "zzqqxxyy")],
      options: {
        save_candidates: true,
        webhook: { url: `https://webhooks.example${this.hookPath}`, secret: WEBHOOK_SECRET },
      },
    });
  }

  /** A new deployment with its own scope of the simulator. */
  gateway(variables: Record<string, string> = {}): Gateway {
    return new Gateway(variables);
  }

  /** One whose upstreams fail. */
  async failing(...upstreams: readonly string[]): Promise<Gateway> {
    const gateway = new Gateway({ WEB_CHAIN: "serpapi", IMAGE_CHAIN: "serpapi" });
    for (const upstream of upstreams) await gateway.fault(upstream, { class: "transient" });
    return gateway;
  }

  /** Of the batch's project. */
  get(path: string, init?: RequestInit): Promise<Response> {
    return this.batches.gateway.fetch(`${this.batches.path}${path}`, init);
  }

  post(path: string, body: unknown = {}): Promise<Response> {
    return this.batches.gateway.post(`${this.batches.path}${path}`, body);
  }

  /** Of the images' project. */
  image(path: string, init?: RequestInit): Promise<Response> {
    return this.images.gateway.fetch(`${this.images.path}${path}`, init);
  }

  async cancelled(): Promise<string> {
    const { id } = await (await this.batches.submit({ items: [row("alps.jpg", "cat")] })).json<Batch>();
    await this.get(`/batches/${id}`, { method: "DELETE" });
    return id;
  }

  async deliveryId(): Promise<string> {
    const response = await this.get(`/batches/${this.batch.id}/deliveries`);
    return (await response.json<{ deliveries: { id: string }[] }>()).deliveries[0]!.id;
  }

  hook(body: string, signedBy = HOOK_SECRET): Promise<Response> {
    const gateway = new Gateway({ WEBHOOKS: JSON.stringify({ acme: { secrets: [HOOK_SECRET] } }) });
    const at = new Date();
    const id = `msg_${crypto.randomUUID()}`;
    return gateway.post("/v1/hooks/acme/inbound", body, {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(signedBy).sign(id, at, body),
    });
  }

  /** The link that a webhook or a review gives away, as a path. */
  async reviewToken(): Promise<string> {
    const response = await this.images.gateway.post(`${this.images.path}/images/alps.jpg/review-link`, {
      actions: ["read", "promote", "page", "manual"],
    });
    return new URL((await response.json<{ url: string }>()).url).pathname.split("/")[2]!;
  }

  /** A picture's link, as a review gives it away. */
  async pictureLink(): Promise<string> {
    const state = await this.images.gateway.fetch(`/review/${await this.reviewToken()}/state`);
    return (await state.json<{ candidates: { picture: string }[] }>()).candidates[0]!.picture;
  }

  /** Of a picture that is large enough. */
  async originalUrl(): Promise<string> {
    const file = await this.image("/files/candidates/alps/candidates.json");
    return (await file.json<{ candidates: { download_url: string }[] }>()).candidates[0]!.download_url;
  }

  async archiveLink(): Promise<string> {
    const response = await this.image("/archive-link", { method: "POST" });
    return new URL((await response.json<{ url: string }>()).url).pathname;
  }
}
