import { createServer, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EgressGateway, startEgressGateway } from "../../local/egress-gateway.ts";

let inside: Server;
let insideHost = "";
let gateway: EgressGateway;

beforeAll(async () => {
  inside = createServer((request, response) => {
    if (request.url === "/broken") {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => response.destroy(), 20);
      return;
    }
    response.writeHead(200, { "x-asked": String(request.headers.host) }).end(`inside ${request.url}`);
  });
  await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  const address = inside.address();
  insideHost = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
afterAll(() => void inside.close());
afterEach(() => gateway.close());

describe("the egress gateway of local modes", () => {
  it.each(["localhost", "127.0.0.1", "[::1]"])("refuses %s, which leads inside", async (host) => {
    gateway = await startEgressGateway({ allowLan: false });
    const response = await fetch(`${gateway.url}/${host}/admin`);
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("--allow-lan")]);
  });

  it("lets private names through with --allow-lan", async () => {
    gateway = await startEgressGateway({ allowLan: true });
    // Nothing speaks TLS there, but it was asked.
    expect((await fetch(`${gateway.url}/localhost/admin`)).status).toBe(502);
  });

  it("lets the host through that the operator named, on its own port and scheme, and no other", async () => {
    gateway = await startEgressGateway({ allowLan: false, operatorUrl: `http://${insideHost}` });
    const response = await fetch(`${gateway.url}/${insideHost}/search?q=1`);
    expect(await response.text()).toBe("inside /search?q=1");
    expect(response.headers.get("x-asked")).toBe(insideHost);
    expect((await fetch(`${gateway.url}/127.0.0.1:1/search`)).status).toBe(403);
  });

  it("does not let a body that breaks off look complete", async () => {
    gateway = await startEgressGateway({ allowLan: false, operatorUrl: `http://${insideHost}` });
    const response = await fetch(`${gateway.url}/${insideHost}/broken`);
    await expect(response.text()).rejects.toThrow(/terminated/);
  });

  it("says when a name has no address", async () => {
    gateway = await startEgressGateway({ allowLan: false });
    expect((await fetch(`${gateway.url}/no-such-name.invalid/`)).status).toBe(502);
  });
});
