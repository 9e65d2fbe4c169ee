import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { type EgressGateway, startEgressGateway } from "../../local/egress-gateway.ts";

const answers = vi.hoisted(() => ({ next: [] as string[][], asked: [] as string[] }));
vi.mock("node:dns/promises", () => ({
  lookup: async (name: string) => {
    answers.asked.push(name);
    return (answers.next.shift() ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  },
}));

let inside: Server;
let gateway: EgressGateway;
let requests = 0;

beforeAll(async () => {
  inside = createServer((_, response) => {
    requests += 1;
    response.end("inside");
  });
  await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  gateway = await startEgressGateway({ allowLan: false });
});
afterAll(async () => {
  await gateway.close();
  inside.close();
});
afterEach(() => {
  answers.next = [];
  answers.asked = [];
});

it.each([
  ["a private address", ["127.0.0.1"]],
  ["a private one beside a public one", ["192.0.9.1", "10.0.0.1"]],
  ["a private one written as IPv6", ["::ffff:169.254.169.254"]],
  ["an address of the platform", ["168.63.129.16"]],
])("a name that leads to %s is not connected to", async (_, addresses) => {
  answers.next = [addresses];
  const { port } = inside.address() as AddressInfo;
  expect((await fetch(`${gateway.url}/rebound.example:${port}/`)).status).toBe(403);
  expect(requests).toBe(0);
});

it("a name that changes its address is looked up once: the address that was judged is the one that is connected to", async () => {
  // The second answer is what a rebinding server would give to whoever looks again.
  answers.next = [["192.0.9.1"], ["127.0.0.1"]];
  const { port } = inside.address() as AddressInfo;
  await fetch(`${gateway.url}/rebound.example:${port}/`, { signal: AbortSignal.timeout(1_500) }).catch(() => undefined);
  expect(answers.asked).toEqual(["rebound.example"]);
  expect(requests).toBe(0);
});
