import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath } from "./chromium.ts";
import { type Site, startSite } from "./site.ts";
import { type Visitor, visit } from "./visitor.ts";

const executablePath = chromiumPath();
const START_MS = 90_000;
const WALK_MS = 60_000;
/** Without its end, so that nothing takes it for a whole tag and strips it before it gets here. */
const MARKUP = "Cat <img src=x onerror=alert(1) x=";
const SCRIPT = "javascript:alert(document.domain)";

/** What a search engine would say if it were hostile, or had found a hostile page. */
const FOUND = {
  organic_results: [
    {
      position: 1,
      title: MARKUP,
      link: "https://a.example/cat",
      snippet: `${MARKUP} **b** [c](${SCRIPT})`,
      source: MARKUP,
    },
    { position: 2, title: "Script", link: SCRIPT, snippet: "x", source: "x" },
    { position: 3, title: "Data", link: "data:text/html,<script>alert(1)</script>", snippet: "x", source: "x" },
  ],
  images_results: [
    {
      position: 1,
      title: MARKUP,
      original: "https://a.example/cat.jpg",
      thumbnail: SCRIPT,
      link: SCRIPT,
      source: MARKUP,
    },
  ],
};

describe.runIf(executablePath !== undefined)("titles and addresses that are hostile", () => {
  let site: Site;
  let browser: Browser;
  let visitor: Visitor;

  beforeAll(async () => {
    site = await startSite();
    browser = await chromium.launch({ executablePath: executablePath!, args: ["--no-sandbox"] });
    visitor = await visit(browser, site.open);
    const fault = { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(FOUND) };
    await fetch(`${site.upstreams}/__faults/serpapi`, { method: "PUT", body: JSON.stringify(fault) });
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  }, START_MS);

  it("are text and no links among the results of home", { timeout: WALK_MS }, async () => {
    const { page } = visitor;
    await page.goto("/");
    await page.fill("#search-query", "cat");
    await page.keyboard.press("Enter");
    await page.locator(".web-results > li").first().waitFor();
    expect(await page.locator(".web-results > li").first().innerText()).toContain(MARKUP);
    await page.locator(".segments label", { hasText: "Images" }).click();
    await page.click("#search-form button");
    await page.locator(".image-results > li").first().waitFor();
    expect(await page.locator(".image-results > li").first().innerText()).toContain(MARKUP);
    await expectHarmless();
  });

  it("are text and no links among the sources of the chat", { timeout: WALK_MS }, async () => {
    const { page } = visitor;
    await page.goto("/chat");
    await page.click("#googleSearchBtn");
    await page.click("#serpapiImagesBtn");
    await page.getByLabel("Your message").fill("cat");
    await page.keyboard.press("Enter");
    await page.locator(".sources a").first().waitFor();
    expect(await page.locator(".turn.answer").last().innerText()).toContain("onerror=alert(1)");
    await expectHarmless();
  });

  it("have run nothing and asked nobody", () => {
    expect(visitor.trespasses).toEqual([]);
  });

  async function expectHarmless(): Promise<void> {
    const { page } = visitor;
    expect(await page.locator('img[src="x"], img[src$="/x"], [onerror]').count()).toBe(0);
    expect(await page.locator('[href^="javascript:"], [src^="javascript:"], [href^="data:text"]').count()).toBe(0);
  }
});
