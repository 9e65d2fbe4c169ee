/**
 * What we use of the MCP library. It is imported when the first request for it comes: its schemas take a while to build,
 * and most isolates never see such a request.
 */
export { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
