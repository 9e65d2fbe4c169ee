import { expect } from "vitest";
import { Gateway } from "./gateway.ts";

export interface Item {
  filename: string;
  status: string;
  last_error?: string;
  [field: string]: unknown;
}

export interface Batch {
  id: string;
  url: string;
  state: string;
  counts: Record<string, number>;
  rows: { item: Item; running: boolean; attempts: { provider: string; class?: string }[] }[];
  next: number | null;
}

export interface Problem {
  code: string;
  errors?: { pointer: string }[];
}

let projects = 0;

/** Each test has a project of its own, and its batches with it. */
export class Project {
  readonly gateway = new Gateway();
  readonly name = `b${++projects}-${crypto.randomUUID().slice(0, 8)}`;
  readonly path = `/v1/projects/${this.name}`;

  submit(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.gateway.post(`${this.path}/batches`, body, headers);
  }

  async run(body: unknown): Promise<Batch> {
    const response = await this.submit(body);
    expect(response.status).toBe(202);
    return this.ended((await response.json<Batch>()).url);
  }

  async get(url: string): Promise<Batch> {
    return (await this.gateway.fetch(url)).json();
  }

  async ended(url: string): Promise<Batch> {
    for (;;) {
      const batch = await this.get(url);
      if (batch.state !== "running") return batch;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async queries(): Promise<{ items: Item[]; [field: string]: unknown }> {
    return (await this.gateway.fetch(`${this.path}/files/image_queries.json`)).json();
  }
}

export const row = (filename: string, query: string, more: Record<string, unknown> = {}) => ({
  filename,
  query,
  status: "Pending",
  ...more,
});
export const item = (batch: Batch, filename: string) =>
  batch.rows.find((each) => each.item.filename === filename)!.item;

/** Batches run by themselves, with the bindings of the test run: in the simulator's default scope. */
export function upstreamsUrl(): string {
  return new Gateway().scopeUrl.replace(/\/__scope\/.*/, "");
}

export async function until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
