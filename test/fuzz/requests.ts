import fc from "fast-check";
import type { Document, Operation } from "../openapi/document.ts";
import {
  CONTENT_TYPES,
  HOSTILE_TEXTS,
  HOSTILE_VALUES,
  ODD_HEADERS,
  PATH_SEGMENTS,
  PROTOTYPE_NAMES,
  RAW_BODIES,
} from "./hostile.ts";
import { valuesOf } from "./schema-values.ts";

/** One request, as it can be kept in the corpus. */
export interface FuzzRequest {
  readonly operationId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Its segments lead to the operation itself, so that its answer has to be one that is described. */
  readonly isPlain: boolean;
}

/** An operation of the document and where it stands. */
export interface Target {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** Path parameters that mean something, by name. */
  readonly known: Readonly<Record<string, string>>;
}

/** Requests to one operation: valid by its schema, nearly valid, and wrong in every way that a request can be. */
export function requestsTo(target: Target, document: Document): fc.Arbitrary<FuzzRequest> {
  const { operation } = target;
  const media = Object.entries(operation.requestBody?.content ?? {})[0];
  const schema = media?.[1].schema ?? {};
  const valid = media === undefined ? undefined : valuesOf(schema, document.components.schemas);
  const example = media?.[1].example;
  const plain = fc.constant(requestOf(target, {}));
  const sound = valid === undefined ? plain : valid.map((body) => requestOf(target, { json: body }));
  const shaken =
    valid === undefined
      ? plain
      : fc
          .tuple(example === undefined ? valid : fc.oneof(fc.constant(example), valid), spoil())
          .map(([body, change]) => requestOf(target, { json: change(body) }));
  const raw = fc.constantFrom(...RAW_BODIES).map((body) => requestOf(target, { body }));
  const typed = fc
    .tuple(fc.constantFrom(...CONTENT_TYPES), valid ?? fc.constant(undefined))
    .map(([type, json]) => requestOf(target, { json: json ?? {}, headers: [["content-type", type]] }));
  const addressed = fc
    .tuple(fc.constantFrom(...PATH_SEGMENTS), fc.nat(), valid ?? fc.constant(undefined))
    .map(([segment, place, json]) => requestOf(target, { json, segment, place }));
  const queried = fc
    .tuple(queries(target), valid ?? fc.constant(undefined))
    .map(([query, json]) => requestOf(target, { json, query }));
  const headed = fc
    .tuple(fc.subarray([...ODD_HEADERS], { minLength: 1, maxLength: 3 }), valid ?? fc.constant(undefined))
    .map(([headers, json]) => requestOf(target, { json, headers }));
  const bodied = [
    { arbitrary: sound, weight: 3 },
    { arbitrary: shaken, weight: 8 },
    { arbitrary: raw, weight: 4 },
    { arbitrary: typed, weight: 2 },
  ];
  return fc.oneof(
    ...(valid === undefined ? [{ arbitrary: plain, weight: 1 }] : bodied),
    { arbitrary: addressed, weight: target.path.includes("{") ? 4 : 0 },
    { arbitrary: queried, weight: 2 },
    { arbitrary: headed, weight: 3 },
  );
}

interface Parts {
  readonly json?: unknown;
  readonly body?: FuzzRequest["body"];
  readonly headers?: FuzzRequest["headers"];
  readonly query?: string;
  /** Instead of the path parameter at `place`. */
  readonly segment?: string;
  readonly place?: number;
}

function requestOf({ method, path, operation, known }: Target, parts: Parts): FuzzRequest {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const replaced = names.length === 0 ? undefined : names[(parts.place ?? 0) % names.length];
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    parts.segment !== undefined && name === replaced ? parts.segment : (known[name] ?? "nothing"),
  );
  const hasBody = operation.requestBody !== undefined;
  const body = parts.body ?? (parts.json === undefined ? undefined : textOf(parts.json));
  const headers = parts.headers ?? [];
  const typed = headers.some(([name]) => name === "content-type") || !hasBody;
  const all: FuzzRequest["headers"] = typed ? headers : [["content-type", "application/json"], ...headers];
  return {
    operationId: operation.operationId,
    method,
    path: parts.query === undefined ? address : `${address}?${parts.query}`,
    headers: all.filter(([, value]) => value !== "" || !typed),
    ...(hasBody && body !== undefined ? { body } : {}),
    isPlain: parts.segment === undefined || !/^(?:\.|%2e){0,2}$/i.test(parts.segment),
  };
}

/** JSON that may hold what `JSON.stringify` drops: `__proto__` as a member of its own. */
function textOf(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

function queries({ operation }: Target): fc.Arbitrary<string> {
  const names = (operation.parameters ?? []).filter(({ in: place }) => place === "query").map(({ name }) => name);
  const name = fc.constantFrom(...names, ...PROTOTYPE_NAMES, "key", "unknown", "a[b]", "");
  const value = fc.oneof(
    fc
      .constantFrom(...HOSTILE_TEXTS.filter((text) => text.length < 10_000 && text.isWellFormed()))
      .map(encodeURIComponent),
    fc.constantFrom("%", "%zz", "%ff", "%00", "+", "&&", "=", "a=b"),
  );
  return fc
    .array(fc.tuple(name, value), { minLength: 1, maxLength: 4 })
    .map((pairs) => pairs.map(([each, text]) => `${encodeURIComponent(each)}=${text}`).join("&"));
}

type Change = (body: unknown) => unknown;

/** One thing wrong in a body that was right. */
function spoil(): fc.Arbitrary<Change> {
  const hostile = fc.constantFrom(...HOSTILE_VALUES);
  const replaced = fc.tuple(fc.nat(), hostile).map(
    ([place, value]): Change =>
      (body) =>
        at(body, place, (parent, key) => ({ ...parent, [key]: value })),
  );
  const dropped = fc.nat().map(
    (place): Change =>
      (body) =>
        at(body, place, (parent, key) => Object.fromEntries(Object.entries(parent).filter(([name]) => name !== key))),
  );
  const added = fc
    .tuple(fc.nat(), fc.constantFrom(...PROTOTYPE_NAMES, "unknown", "", "a/b~c", "x".repeat(2_000)), hostile)
    .map(
      ([place, name, value]): Change =>
        (body) =>
          at(body, place, (parent) => withOwn(parent, name, value)),
    );
  const wrapped: fc.Arbitrary<Change> = fc.constantFrom<Change>(
    (body) => [body],
    (body) => ({ body }),
    (body) => JSON.stringify(body),
  );
  return fc.oneof(
    { arbitrary: replaced, weight: 6 },
    { arbitrary: dropped, weight: 1 },
    { arbitrary: added, weight: 2 },
    { arbitrary: wrapped, weight: 1 },
  );
}

type Parent = Readonly<Record<string, unknown>>;

/** Changes the member that `place` counts to, wherever it lies; arrays become their first element's place. */
function at(value: unknown, place: number, change: (parent: Parent, key: string) => Parent): unknown {
  if (Array.isArray(value)) return value.length === 0 ? value : [at(value[0], place, change), ...value.slice(1)];
  if (typeof value !== "object" || value === null) return value;
  const parent = value as Parent;
  const keys = Object.keys(parent);
  if (keys.length === 0) return change(parent, "");
  const key = keys[place % keys.length]!;
  const deeper = Math.floor(place / keys.length);
  const inner = parent[key];
  if (deeper % 2 === 1 && typeof inner === "object" && inner !== null) {
    return { ...parent, [key]: at(inner, Math.floor(deeper / 2), change) };
  }
  return change(parent, key);
}

function withOwn(parent: Parent, name: string, value: unknown): Parent {
  const copy = { ...parent };
  // An assignment to `__proto__` would set the prototype instead.
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** The same for an MCP tool: what is generated are its arguments. */
export function callsOf(
  tool: { readonly name: string; readonly inputSchema: Readonly<Record<string, unknown>> },
  send: (name: string, args: unknown) => FuzzRequest,
): fc.Arbitrary<FuzzRequest> {
  const valid = valuesOf(tool.inputSchema, {});
  const spoiled = fc.tuple(valid, spoil()).map(([args, change]) => change(args));
  return fc
    .oneof({ arbitrary: valid, weight: 1 }, { arbitrary: spoiled, weight: 3 })
    .map((args) => send(tool.name, args));
}
