import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Gateway } from "./gateway.ts";

export interface ToolEntry {
  name: string;
  title?: string;
  description?: string;
  annotations?: Record<string, boolean>;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
}

export interface ToolAnswer {
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** What every kind of client can do. */
export interface ToolClient {
  list(): Promise<ToolEntry[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
}

const MODERN = "2026-07-28";

/** The library's own client, which speaks the current revision or shakes hands as clients did before it. */
export async function libraryClient(
  gateway: Gateway,
  era: "modern" | "legacy" = "modern",
  key?: string,
): Promise<ToolClient> {
  const transport = new StreamableHTTPClientTransport(new URL("https://sluice.test/mcp"), {
    fetch: (url, init) => gateway.fetch(String(url), init as RequestInit),
    ...(key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  });
  const mode = era === "legacy" ? "legacy" : { pin: MODERN };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    list: async () => (await client.listTools()).tools as ToolEntry[],
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolAnswer,
  };
}

/** One message of the current revision, by hand. */
export function send(
  gateway: Gateway,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": { name: "plain", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return gateway.post(
    "/mcp",
    { jsonrpc: "2.0", id: 7, method, params: { ...params, _meta: meta } },
    {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": MODERN,
      "mcp-method": method,
      ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
      ...headers,
    },
  );
}

/** A client that knows HTTP and JSON only, in the current revision. */
export function plainClient(gateway: Gateway, headers: Record<string, string> = {}): ToolClient {
  const result = async <T>(method: string, params?: Record<string, unknown>): Promise<T> => {
    const response = await send(gateway, method, params, headers);
    if (response.status !== 200) throw new Error(`${method}: ${response.status} ${await response.text()}`);
    return (await response.json<{ result: T }>()).result;
  };
  return {
    list: async () => (await result<{ tools: ToolEntry[] }>("tools/list")).tools,
    call: (name, args) => result<ToolAnswer>("tools/call", { name, arguments: args }),
  };
}

/** The same for the revisions before, without a handshake: the answer comes as one event. */
export function plainLegacyClient(gateway: Gateway): ToolClient {
  const result = async <T>(method: string, params: Record<string, unknown> = {}): Promise<T> => {
    const accept = "application/json, text/event-stream";
    const response = await gateway.post("/mcp", { jsonrpc: "2.0", id: 7, method, params }, { accept });
    const event = /^data: (.+)$/m.exec(await response.text());
    return (JSON.parse(event?.[1] ?? "{}") as { result: T }).result;
  };
  return {
    list: async () => (await result<{ tools: ToolEntry[] }>("tools/list")).tools,
    call: (name, args) => result<ToolAnswer>("tools/call", { name, arguments: args }),
  };
}
