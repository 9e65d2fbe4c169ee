/** As much of an OpenAPI 3.1 document as its checks read. */
export interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export type PathItem = Readonly<Record<string, Operation>>;
export type Schema = { readonly [keyword: string]: unknown };

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** A real response, as the checker takes it. */
export interface Received {
  readonly operationId: string;
  readonly status: number;
  /** Without parameters; empty where there is none. */
  readonly contentType: string;
  readonly body: string;
}

/** Every operation, webhooks too, with the path or name that it stands under. */
export function operationsOf(document: Document): { method: string; path: string; operation: Operation }[] {
  return [document.paths, document.webhooks].flatMap((items) =>
    Object.entries(items).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    ),
  );
}
