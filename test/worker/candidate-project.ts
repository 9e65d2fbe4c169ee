import { expect } from "vitest";
import { Gateway } from "./gateway.ts";

interface Candidate {
  rank: number;
  filename: string;
  provider: string;
  identity_evidence: string;
  missing_required_terms: string[];
  download_url: string;
  preview_url: string;
  license_tier: string;
  width: number;
  height: number;
  preview_width: number;
  preview_height: number;
  attribution_text: string;
}

interface Page {
  schema_version: number;
  candidate_page: number;
  saved_pages: number[];
  page_size: number;
  candidate_total: number;
  has_more_candidates: boolean;
  next_candidate_page: number | null;
  selected: string | null;
  candidates: Candidate[];
  unavailable: { reason: string }[];
  files: { candidates: string; review_sheet: string };
  warnings: unknown[];
}

export interface Problem {
  code: string;
  detail: string;
  reason?: string;
}

const ROW = { filename: "alps.jpg", query: "french alpine landscape", save_candidates: true };

let projects = 0;

export class Project {
  readonly gateway: Gateway;
  readonly path = `/v1/projects/c${++projects}`;

  constructor(variables: Record<string, string> = {}) {
    this.gateway = new Gateway(variables);
  }

  search(row: Record<string, unknown> = {}): Promise<Response> {
    return this.gateway.post(`${this.path}/images`, { ...ROW, ...row });
  }

  async page(row: Record<string, unknown> = {}): Promise<Page> {
    const response = await this.search(row);
    expect(response.status).toBe(200);
    return response.json<Page>();
  }

  promote(candidate: string, more: Record<string, unknown> = {}, filename = ROW.filename): Promise<Response> {
    return this.gateway.post(`${this.path}/images/${filename}/promote`, { candidate, ...more });
  }

  put(filename: string, kind: string, init: RequestInit): Promise<Response> {
    return this.gateway.fetch(`${this.path}/images/${filename}/${kind}`, { method: "PUT", ...init });
  }

  fromUrl(url: string, more: Record<string, unknown> = {}, filename = ROW.filename): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return this.put(filename, "from-url", { headers, body: JSON.stringify({ url, ...more }) });
  }

  async bytes(path: string): Promise<Uint8Array> {
    const response = await this.gateway.fetch(`${this.path}/files/${path}`);
    expect(response.status).toBe(200);
    return new Uint8Array(await response.arrayBuffer());
  }

  async manifest(): Promise<Record<string, unknown>[]> {
    const response = await this.gateway.fetch(`${this.path}/files/image_sources.json`);
    return (await response.json<{ items: Record<string, unknown>[] }>()).items;
  }
}
