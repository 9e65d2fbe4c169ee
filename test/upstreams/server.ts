import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { buildApp } from "./app.ts";

export interface Upstreams {
  /** For `EGRESS_PROXY`, without a trailing slash. */
  readonly url: string;
  /** Ends every connection, hanging ones too. */
  close(): Promise<void>;
}

/** Starts the simulator on the loopback interface; port 0 takes a free one. */
export async function startUpstreams({ port = 0 }: { port?: number } = {}): Promise<Upstreams> {
  const server = createAdaptorServer({ fetch: buildApp().fetch, createServer }) as Server;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
