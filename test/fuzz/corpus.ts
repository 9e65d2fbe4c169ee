import type { FuzzRequest } from "./requests.ts";

interface Found {
  /** What has to hold now. */
  readonly name: string;
  readonly request: FuzzRequest;
  readonly status: number;
}

const json = (
  operationId: string,
  path: string,
  body: FuzzRequest["body"],
  type = "application/json",
): FuzzRequest => ({
  operationId,
  method: "POST",
  path,
  headers: [["content-type", type]],
  ...(body === undefined ? {} : { body }),
  isPlain: true,
});

/** What the fuzzer found once, and the answer that it has now. */
export const CORPUS: readonly Found[] = [
  {
    // Was 500 `internal`: the library's own refusal of a type was taken for a fault of ours.
    name: "a body of a type that is nearly JSON is refused, not an error of ours",
    request: json("searchGen", "/search", '{"search_type":"image","query":"cat"}', "application/problem+json"),
    status: 415,
  },
  {
    name: "the same where a stream would follow",
    request: json("streamChat", "/chat/stream", '{"message":"cat","search":"never"}', "application/vnd.api+json"),
    status: 415,
  },
  {
    // Was answered by the protocol's library in a shape that the description does not have.
    name: "the same at MCP has the shape of every other refusal",
    request: json("callMcp", "/mcp", '{"jsonrpc":"2.0","id":1,"method":"ping"}', "application/problem+json"),
    status: 415,
  },
  {
    // Was logged with a stack, as something that nobody foresaw: anybody could fill the log.
    name: "a body that breaks off is in the log as what it is",
    request: json("webSearch", "/v1/web-search", '{"query":'),
    status: 400,
  },
  {
    name: "a compressed body that does not say so is in the log as what it is",
    request: json("webSearch", "/v1/web-search", new Uint8Array([0x1f, 0x8b, 8, 0, 0])),
    status: 400,
  },
  {
    name: "an array that only opens is in the log as what it is",
    request: json("acquireImage", "/v1/projects/fuzz/images", "[".repeat(20_000)),
    status: 400,
  },
];
