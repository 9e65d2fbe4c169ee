import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { closed } from "./closed.ts";
import { type Document, type MediaType, type Operation, operationsOf, type Received, type Schema } from "./document.ts";

const ROOT = "https://sluice.test/openapi.json";

/** Compares examples and real responses with one OpenAPI document. */
export class Checker {
  readonly #operations: ReturnType<typeof operationsOf>;
  readonly #components: Readonly<Record<string, Schema>>;
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<Schema, ValidateFunction>();

  constructor(document: Document) {
    this.#operations = operationsOf(document);
    // A member that nobody has described is a fault, though the document itself lets clients expect more to come.
    this.#components = document.components.schemas;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: ROOT, components: { schemas: closed(this.#components) } });
  }

  /** Faults of every example, and of operations that need one and have none. */
  examples(): string[] {
    return this.#operations.flatMap(({ operation }) => {
      const media = [
        ...labelled("request", operation.requestBody?.content),
        ...Object.entries(operation.responses)
          .filter(([status]) => status.startsWith("2"))
          .flatMap(([status, answer]) => labelled(status, answer.content)),
      ];
      return media.flatMap(([label, { schema, example }]) => {
        const where = `${operation.operationId} ${label}`;
        if (example === undefined) return label.endsWith("json") ? [`${where}: has no example`] : [];
        return this.#faults(schema ?? {}, example).map((fault) => `${where}: ${fault}`);
      });
    });
  }

  /** Faults of one response. */
  response({ operationId, status, contentType, body }: Received): string[] {
    const answer = this.#operation(operationId).responses[String(status)];
    if (answer === undefined) return [`${operationId} does not have the status ${status}: ${body.slice(0, 500)}`];
    const media = mediaFor(answer.content, contentType);
    if (answer.content === undefined) return body === "" ? [] : [`${operationId} ${status} should have no body`];
    if (media === undefined) return [`${operationId} ${status} does not have the type \`${contentType}\``];
    const schema = media.schema ?? {};
    const faults = contentType.endsWith("json")
      ? this.#faults(schema, JSON.parse(body))
      : contentType === "text/event-stream"
        ? this.#eventFaults(schema, body)
        : [];
    return faults.map((fault) => `${operationId} ${status}: ${fault}`);
  }

  /** Faults of the body of a webhook that was sent. */
  webhook(type: string, body: string): string[] {
    const sent = this.#operations.find(({ path }) => path === type)?.operation.requestBody?.content["application/json"];
    if (sent === undefined) return [`there is no webhook ${type}`];
    return this.#faults(sent.schema ?? {}, JSON.parse(body)).map((fault) => `${type}: ${fault}`);
  }

  #operation(operationId: string): Operation {
    const found = this.#operations.find(({ operation }) => operation.operationId === operationId);
    if (found === undefined) throw new Error(`The document has no operation ${operationId}.`);
    return found.operation;
  }

  /** The list of events, and within it each one's data. */
  #eventFaults(schema: Schema, body: string): string[] {
    const events = eventsOf(body);
    const { oneOf = [] } = (schema["items"] ?? {}) as { oneOf?: readonly EventSchema[] };
    const faults = events.flatMap(({ event, data }) => {
      const content = oneOf.find(({ properties }) => properties.event.const === event)?.properties.data.contentSchema;
      if (content === undefined) return [`no event is called \`${event}\``];
      return this.#faults(content, JSON.parse(data)).map((fault) => `${event}: ${fault}`);
    });
    return [...this.#faults(schema, events), ...faults];
  }

  #faults(schema: Schema, value: unknown): string[] {
    let validate = this.#compiled.get(schema);
    if (validate === undefined) {
      // References are to be found in the document that has been added above.
      const text = JSON.stringify(closed({ schema }, this.#components)["schema"]).replaceAll(
        '"$ref":"#/',
        `"$ref":"${ROOT}#/`,
      );
      validate = this.#ajv.compile(JSON.parse(text) as Schema);
      this.#compiled.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  }
}

interface EventSchema {
  readonly properties: {
    readonly event: { readonly const: string };
    readonly data: { readonly contentSchema: Schema };
  };
}

function labelled(label: string, content: Readonly<Record<string, MediaType>> = {}): [string, MediaType][] {
  return Object.entries(content).map(([type, media]) => [`${label} ${type}`, media]);
}

function mediaFor(content: Readonly<Record<string, MediaType>> = {}, type: string): MediaType | undefined {
  return content[type] ?? content[type.replace(/\/.*/, "/*")] ?? content["*/*"];
}

function eventsOf(body: string): { event: string; data: string; id?: string }[] {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => void events.push(event) }).feed(body);
  return events.map(({ event = "message", data, id }) => ({ event, data, ...(id === undefined ? {} : { id }) }));
}
