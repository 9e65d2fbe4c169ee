import { until } from "./until.ts";

export interface BatchRow {
  readonly item: { readonly filename: string; readonly status: string; readonly last_error?: string };
  readonly running: boolean;
}

export interface Batch {
  readonly url: string;
  readonly state: string;
  readonly created_at: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly rows: readonly BatchRow[];
  readonly next: number | null;
}

export interface DeliveryEntry {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly created_at: string;
}

const REQUEST_MS = 15_000;

/** The batch routes of a Worker that listens at `origin`, and may be down in between. */
export class BatchClient {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async submit(project: string, body: unknown): Promise<Batch> {
    const response = await fetch(`${this.#origin}/v1/projects/${project}/batches`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    if (response.status !== 202) throw new Error(`submit: HTTP ${response.status} ${await response.text()}`);
    return (await response.json()) as Batch;
  }

  /** The first page, of 100 rows at most. */
  get(url: string): Promise<Batch> {
    return this.json<Batch>(url);
  }

  /** The batch once it runs no more, asked for every `pollMs`. */
  ended(url: string, limitMs: number, pollMs = 250): Promise<Batch> {
    return until(
      "the batch ends",
      limitMs,
      async () => {
        const batch = await this.get(url);
        return batch.state !== "running" && batch;
      },
      pollMs,
    );
  }

  /** The whole delivery log, oldest first. */
  async deliveries(url: string): Promise<DeliveryEntry[]> {
    const all: DeliveryEntry[] = [];
    for (let after: number | null = 0; after !== null;) {
      type Page = { deliveries: DeliveryEntry[]; next: number | null };
      const page: Page = await this.json<Page>(`${url}/deliveries?after=${after}`);
      all.push(...page.deliveries);
      after = page.next;
    }
    return all;
  }

  async json<T>(path: string): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await this.bytes(path))) as T;
  }

  async bytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const response = await fetch(this.#origin + path, { signal: AbortSignal.timeout(REQUEST_MS) });
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
