import type { Schema } from "./document.ts";

/**
 * The same schemas, where an object has no other members than those that are described, unless it says that it may.
 * What stands in an `allOf` stays open, since the members of one part are unknown to the other; the whole is closed.
 * `known` are the components that references lead to.
 */
export function closed(
  schemas: Readonly<Record<string, Schema>>,
  known: Readonly<Record<string, Schema>> = schemas,
): Record<string, Schema> {
  const open = (schema: Schema): Schema => {
    const name = nameOf(schema);
    return name === undefined || known[name] === undefined ? schema : withoutRefsAtTop(known[name]);
  };
  const withoutRefsAtTop = (schema: Schema): Schema => ({
    ...walked(schema),
    ...(isSchemas(schema["allOf"]) ? { allOf: schema["allOf"].map(open) } : {}),
  });
  const walked = (schema: Schema): Schema =>
    Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, inside(keyword, value)]));
  const inside = (keyword: string, value: unknown): unknown => {
    if (keyword === "properties" || keyword === "patternProperties") return mapped(value as Record<string, Schema>);
    if (keyword === "example" || keyword === "const" || keyword === "enum" || keyword === "default") return value;
    if (isSchemas(value)) return value.map(close);
    return isSchema(value) ? close(value) : value;
  };
  const mapped = (named: Readonly<Record<string, Schema>>) =>
    Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, close(schema)]));
  const close = (schema: Schema): Schema => {
    if (!isSchema(schema)) return schema;
    if (isSchemas(schema["allOf"]))
      return { ...walked(schema), allOf: schema["allOf"].map(open), unevaluatedProperties: false };
    const isOutline = "properties" in schema && !("additionalProperties" in schema);
    return isOutline ? { ...walked(schema), additionalProperties: false } : walked(schema);
  };
  return mapped(schemas);
}

function nameOf(schema: Schema): string | undefined {
  const ref = schema["$ref"];
  return typeof ref === "string" ? ref.replace("#/components/schemas/", "") : undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSchemas(value: unknown): value is Schema[] {
  return Array.isArray(value) && value.length > 0 && value.every(isSchema);
}
