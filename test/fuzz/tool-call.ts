/** Headers and message of a call of an MCP tool, as a client of the current revision writes it. */
export function toolCall(name: string, args: unknown): { headers: [string, string][]; message: object } {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "sluice-tests", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    headers: [
      ["content-type", "application/json"],
      ["accept", "application/json, text/event-stream"],
      ["mcp-protocol-version", "2026-07-28"],
      ["mcp-method", "tools/call"],
      ["mcp-name", name],
    ],
    message: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta } },
  };
}
