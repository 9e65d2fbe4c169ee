/** What a provider adapter wants sent: plain data, so that adapters are pure. */
export interface UpstreamRequest {
  /** Absolute. A key may stand in its query: the door redacts it from whatever is shown. */
  readonly url: string;
  readonly method?: "GET" | "POST";
  /** Lower-case names. The door adds User-Agent itself. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A complete answer, whatever its status. Bodies are text: adapters decide how to read them. */
export interface UpstreamReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Epoch milliseconds, for wires that speak of absolute times. */
  readonly receivedAt: number;
}
