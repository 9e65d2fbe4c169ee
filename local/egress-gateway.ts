import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isPublicAddress } from "../src/egress/address-guard.ts";

export interface GatewayOptions {
  /** Lets names through that lead to private addresses. */
  readonly allowLan: boolean;
  /** A host that the operator configured and that may be private: `searx.lan:8888`. */
  readonly operatorUrl?: string;
}

export interface EgressGateway {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * What stands behind `EGRESS_PROXY` on one's own machine. A Worker at Cloudflare cannot reach a private network, a local
 * one can, and only Node can look a name up before it connects: so names are resolved here, refused when any of their
 * addresses is private, and the connection goes to the very address that was judged.
 */
export async function startEgressGateway(options: GatewayOptions): Promise<EgressGateway> {
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, options).catch(() => refuse(outgoing, 502, "the connection failed"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, close: () => closed(server) };
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, options: GatewayOptions): Promise<void> {
  const [, host = "", path = ""] = /^\/([^/?]+)(.*)$/.exec(incoming.url ?? "") ?? [];
  const operator = options.operatorUrl === undefined ? undefined : new URL(options.operatorUrl);
  const isOperator = operator?.host === host;
  const target = new URL(`${isOperator ? operator.protocol : "https:"}//${host}`);
  const hostname = target.hostname.replace(/^\[|\]$/g, "");
  const addresses = await lookup(hostname, { all: true }).catch(() => []);
  if (addresses.length === 0) return refuse(outgoing, 502, "the name has no address");
  if (!options.allowLan && !isOperator && !addresses.every(({ address }) => isPublicAddress(address))) {
    return refuse(outgoing, 403, "the name leads to a private address; --allow-lan lets it through");
  }
  const request = target.protocol === "https:" ? httpsRequest : httpRequest;
  const upstream = request({
    host: addresses[0]!.address,
    ...(target.port === "" ? {} : { port: target.port }),
    servername: hostname,
    method: incoming.method,
    path: path.startsWith("/") ? path : `/${path}`,
    headers: { ...incoming.headers, host },
  });
  upstream.on("response", (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
    response.pipe(outgoing);
    // A body that breaks off upstream must not look complete here.
    response.on("error", () => outgoing.destroy());
  });
  upstream.on("error", () =>
    outgoing.headersSent ? outgoing.destroy() : refuse(outgoing, 502, "the connection failed"),
  );
  outgoing.on("close", () => upstream.destroy());
  incoming.pipe(upstream);
}

function refuse(outgoing: ServerResponse, status: number, why: string): void {
  outgoing.writeHead(status, { "content-type": "text/plain" }).end(`Egress gateway: ${why}.\n`);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
