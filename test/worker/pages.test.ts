import { describe, expect, it } from "vitest";
import { Gateway } from "./gateway.ts";

const PATHS = ["/", "/chat", "/batch", "/projects/deck-7/batches/b_1", "/review/some.token"];
const gateway = new Gateway();

describe("the pages for people", () => {
  it.each(PATHS)("%s is HTML under a policy that lets in nothing but our own files", async (path) => {
    const response = await gateway.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]),
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const html = await response.text();
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    expect(html).not.toMatch(/<script(?![^>]* src="\/assets\/)|<style|\sstyle=|\son\w+=|(?:src|href)="https?:/i);
  });

  it("a review page tells nobody where it was opened", async () => {
    const { headers } = await gateway.fetch("/review/some.token");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("what stands in an address becomes no markup", async () => {
    const token = encodeURIComponent(`"><script>alert(1)</script>`);
    const html = await (await gateway.fetch(`/review/${token}`)).text();
    expect(html).not.toContain("<script>");
    expect(html).toContain("&quot;&gt;&lt;script&gt;");
  });

  it.each(["/projects/Deck%207/batches/b_1", "/projects/deck-7/batches/a%22b"])("%s has no page", async (path) => {
    expect((await gateway.fetch(path)).status).toBe(404);
  });
});
