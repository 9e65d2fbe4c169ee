import fc from "fast-check";
import type { Schema } from "../openapi/document.ts";

/** Values that lead past the first check, which a schema cannot say. By the member's name. */
const MEANT: Readonly<Record<string, readonly unknown[]>> = {
  filename: ["alps.jpg", "fuzz.png", "山城.webp", "constructor.jpg", "__proto__.jpg"],
  query: ["french alpine landscape", "cat", "解放碑"],
  message: ["cat", "latest news"],
  candidate: ["candidate_01.jpg", "candidate_99.jpg"],
  url: ["https://odd.example/progressive.jpg", "https://webhooks.example/fuzz"],
  image_url: ["https://a.example/cat.jpg"],
  image_data_url: ["data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"],
  // A batch of rows that are done asks nobody.
  status: ["Sourced", "Needs-Manual"],
  provider: ["wikimedia", "openverse"],
};

type Components = Readonly<Record<string, Schema>>;

const DEEPEST = 6;

/** Values that a JSON schema allows: what the OpenAPI description calls a valid request, and little more. */
export function valuesOf(schema: Schema, components: Components, depth = 0): fc.Arbitrary<unknown> {
  const of = (inner: unknown) => valuesOf(inner as Schema, components, depth + 1);
  if (typeof schema["$ref"] === "string") {
    return of(components[schema["$ref"].replace("#/components/schemas/", "")] ?? {});
  }
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = schema[keyword];
    if (Array.isArray(choices)) return fc.oneof(...choices.map(of));
  }
  if (Array.isArray(schema["allOf"])) {
    return fc.tuple(...schema["allOf"].map(of)).map((parts) => Object.assign({}, ...parts) as unknown);
  }
  const types = [schema["type"] ?? "any"].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(type, schema, of, depth)));
}

function ofType(type: string, schema: Schema, of: (inner: unknown) => fc.Arbitrary<unknown>, depth: number) {
  switch (type) {
    case "string":
      return texts(schema);
    case "integer":
    case "number":
      return numbers(schema, type);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return depth > DEEPEST
        ? fc.constant([])
        : fc.array(of(schema["items"] ?? {}), { minLength: number(schema["minItems"], 0), maxLength: 3 });
    case "object":
      return objects(schema, of, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function texts(schema: Schema): fc.Arbitrary<string> {
  if (typeof schema["pattern"] === "string") return fc.stringMatching(new RegExp(schema["pattern"], "u"));
  if (schema["format"] === "uri") return fc.webUrl({ validSchemes: ["https"] });
  if (schema["format"] === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const minLength = number(schema["minLength"], 0);
  const maxLength = Math.max(minLength, Math.min(number(schema["maxLength"], 40), 40));
  return fc.string({ unit: "grapheme", minLength, maxLength });
}

function numbers(schema: Schema, type: "integer" | "number"): fc.Arbitrary<number> {
  const min = number(schema["minimum"], number(schema["exclusiveMinimum"], -1_000) + 1);
  const max = number(schema["maximum"], Math.max(min, 1_000));
  return type === "integer" ? fc.integer({ min, max: Math.min(max, 2 ** 31) }) : fc.double({ min, max, noNaN: true });
}

function objects(schema: Schema, of: (inner: unknown) => fc.Arbitrary<unknown>, depth: number) {
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>);
  const requiredKeys = (schema["required"] ?? []) as string[];
  const known = properties.filter(([name]) => depth <= DEEPEST || requiredKeys.includes(name));
  const member = (name: string, inner: Schema) => {
    const meant = MEANT[name];
    return meant === undefined ? of(inner) : fc.oneof({ arbitrary: fc.constantFrom(...meant), weight: 2 }, of(inner));
  };
  return fc.record(Object.fromEntries(known.map(([name, inner]) => [name, member(name, inner)])), {
    requiredKeys: requiredKeys.filter((name) => known.some(([each]) => each === name)),
  });
}

function number(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
