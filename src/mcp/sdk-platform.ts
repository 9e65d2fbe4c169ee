/**
 * Stands in a bundle for what the MCP library brings for workerd (`alias` in wrangler.toml): that builds every schema of
 * the protocol when an isolate starts, and holds a validator for questions back to a client, which no tool of ours asks.
 */

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("No tool asks its client anything.");
  }
}
