import { inject } from "vitest";
import type { Document } from "../openapi/document.ts";
import { Gateway } from "./gateway.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where descriptions are linted, and responses compared with them. */
    openapiChecker: string;
  }
}

/** The deployment's own description, and what real responses have against it. */
export class Description {
  readonly text: string;
  readonly document: Document;
  /** Faults of the examples in it. */
  readonly exampleFaults: readonly string[];
  readonly #address: string;

  private constructor(text: string, address: string, exampleFaults: readonly string[]) {
    this.text = text;
    this.document = JSON.parse(text) as Document;
    this.#address = address;
    this.exampleFaults = exampleFaults;
  }

  static async fetch(): Promise<Description> {
    const text = await (await new Gateway().fetch("/openapi.json")).text();
    const address = `${inject("openapiChecker")}/documents/${crypto.randomUUID()}`;
    return new Description(text, address, await faults(address, "PUT", text));
  }

  lint(): Promise<string[]> {
    return faults(`${inject("openapiChecker")}/lint`, "POST", this.text);
  }

  /** Status, content type and body of a response of `operationId`: none where they are as described. */
  async faultsOf(operationId: string, response: Response): Promise<string[]> {
    const contentType = (response.headers.get("content-type") ?? "").replace(/\s*;.*/, "");
    const received = { operationId, status: response.status, contentType, body: await response.text() };
    return faults(`${this.#address}/responses`, "POST", JSON.stringify(received));
  }

  /** The same of the body of a webhook. */
  webhookFaults(type: string, body: string): Promise<string[]> {
    return faults(`${this.#address}/webhooks/${type}`, "POST", body);
  }
}

async function faults(url: string, method: string, body: string): Promise<string[]> {
  return (await fetch(url, { method, body })).json();
}
