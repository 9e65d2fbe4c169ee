import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath } from "./chromium.ts";
import { sights, takeShot } from "./sights.ts";
import { type Site, startSite } from "./site.ts";
import { focusedId, overflowOf, seriousFaults, type Visitor, visit } from "./visitor.ts";

const executablePath = chromiumPath();
if (executablePath === undefined) {
  console.warn("The pages were not tested: no Chromium is installed here, and CHROMIUM names none.");
}

/** Whole tags are taken out of what providers say; this one becomes an element by the markup that follows it. */
const MARKUP = "Sheep in March <img src=x onerror=alert(1) x=";
const HOSTILE_QUERY = "zzqqxxyy <img src=x onerror=alert(2)>";
const WIDTHS = [360, 1440];
const START_MS = 90_000;
const WALK_MS = 60_000;

/** What a page shows in the end; pages wait for the network. */
const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 30_000 });

/** One walk: each part goes on where the one before it has ended. */
describe.runIf(executablePath !== undefined)("the pages in a browser", () => {
  let site: Site;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  let batchPath: string;
  let reviewPath: string;
  const text = (selector: string) => page.locator(selector).innerText();
  const row = (filename: string) => page.locator("#batch-rows > li", { hasText: filename });

  beforeAll(async () => {
    site = await startSite();
    browser = await chromium.launch({ executablePath: executablePath!, args: ["--no-sandbox"] });
    visitor = await visit(browser, site.open);
    page = visitor.page;
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  }, START_MS);

  it("home says who can be asked, and searches the web, images and answers", { timeout: WALK_MS }, async () => {
    await page.goto("/");
    await soon(() => text("#providers-summary")).toMatch(/^\d+ of \d+ are ready\.$/);
    expect(await text("#providers > li:first-child")).toContain("Ready");
    await page.fill("#search-query", "airplane from above");
    await page.keyboard.press("Enter");
    await page.locator(".web-results > li").first().waitFor();
    await page.click("#search-results summary");
    expect(await text("#search-results .attempts")).toMatch(/serpapi\s+\d+ results/);
    await page.locator(".segments label", { hasText: "Images" }).click();
    await page.getByLabel("Cleared licenses only").check();
    await page.click("#search-form button");
    await page.locator(".image-results > li").first().waitFor();
    expect(await text(".image-results > li:first-child")).toMatch(/(No credit|Credit) needed/);
    await page.getByLabel("Cleared licenses only").uncheck();
    await page.click("#search-form button");
    await page.getByRole("button", { name: "Show pictures" }).click();
    await page.locator(".image-results img").first().waitFor();
    await page.locator(".segments label", { hasText: "Answer" }).click();
    await page.fill("#search-query", "cat today");
    await page.click("#search-form button");
    await page.locator("#search-results .answer").waitFor();
    expect(await page.locator("#search-results .web-results a").count()).toBeGreaterThan(0);
  });

  it("the batch form says beside each field what is wrong with it", { timeout: WALK_MS }, async () => {
    await page.goto("/batch");
    await page.getByLabel("Project", { exact: true }).fill("deck-7");
    await fillRow(0, "alps.txt", "french alpine landscape");
    await page.click("#batch-submit");
    const filename = page.locator('[data-pointer="/items/0/filename"]');
    await soon(() => filename.getAttribute("aria-invalid")).toBe("true");
    const fault = await filename.getAttribute("aria-describedby");
    expect(await text(`#${fault}`)).not.toBe("");
    expect(await text("#batch-faults")).toContain("Row 1, filename");
    expect(await focusedId(page)).toBe("batch-faults");
  });

  it("a batch is submitted and watched until every row has ended", { timeout: WALK_MS }, async () => {
    await site.renameAtPexels("sheep in March", MARKUP);
    await fillRow(0, "alps.jpg", "french alpine landscape");
    const rows = [
      ["plaza.jpg", "Chongqing Jiefangbei monument", "Chongqing|重庆, Jiefangbei|解放碑"],
      ["sheep.jpg", "sheep in March", ""],
      ["own.jpg", HOSTILE_QUERY, ""],
    ] as const;
    for (const [index, [filename, query, terms]] of rows.entries()) {
      await page.click("#batch-add-row");
      await fillRow(index + 1, filename, query, terms);
    }
    await page.click("#batch-submit");
    await page.waitForURL("**/projects/deck-7/batches/*");
    batchPath = new URL(page.url()).pathname;
    await soon(() => text("#batch-state")).toBe("Running");
    await soon(() => text("#batch-state")).toBe("At rest");
    expect(await text("#batch-progress-text")).toBe("4 of 4 rows searched, 0 done");
    expect(await text("#batch-counts")).toMatch(/3 to choose\s+1 without a result/);
    expect(await row("own.jpg").innerText()).toContain("no image qualifies");
    expect(await row("own.jpg").innerText()).toContain(HOSTILE_QUERY);
    expect(await row("alps.jpg").innerText()).toContain("8 candidates on page 1");
  });

  it("a row is reviewed with the keyboard alone, and promoted", { timeout: WALK_MS }, async () => {
    await openReview("alps.jpg");
    expect(await text("#review-intent")).toContain("french alpine landscape");
    expect(await page.locator(".candidate").count()).toBe(8);
    await page.keyboard.press("?");
    expect(await page.locator("#help-dialog").isVisible()).toBe(true);
    await page.keyboard.press("Enter");
    expect(await page.locator("#help-dialog").isVisible()).toBe(false);
    await page.keyboard.press("3");
    const title = await text(".candidate:nth-child(3) .candidate-title");
    expect(await text("#review-chosen h2")).toBe(title);
    expect(await focusedId(page)).toBe("candidate-3");
    await page.keyboard.press("Enter");
    await soon(() => text("#review-status")).toBe("Candidate 3 is in place.");
    expect(await text(".candidate:nth-child(3)")).toContain("In place now");
  });

  it("the second page of candidates comes by key, and one of it is promoted", { timeout: WALK_MS }, async () => {
    const first = await text(".candidate:first-child .candidate-title");
    await page.keyboard.press("n");
    await soon(() => text("#review-candidates .section-head")).toContain("Page 2");
    expect(await text(".candidate:first-child .candidate-title")).not.toBe(first);
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    await soon(() => text("#review-status")).toBe("Candidate 9 is in place.");
  });

  it("a near match looks different and wants to be confirmed", { timeout: WALK_MS }, async () => {
    await page.goto(batchPath);
    await openReview("plaza.jpg");
    reviewPath = new URL(page.url()).pathname;
    const near = page.locator(".candidate.near").first();
    expect(await near.innerText()).toContain("Near match");
    const number = await near.locator(".candidate-number").innerText();
    await page.keyboard.press(number);
    await page.keyboard.press("Enter");
    await soon(() => text("#review-status")).toContain("near match");
    expect(await focusedId(page)).toBe("confirm-identity");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await soon(() => text("#review-status")).toBe(`Candidate ${number} is in place.`);
  });

  it("a title with markup in it is shown as the text that it is", { timeout: WALK_MS }, async () => {
    await page.goto(batchPath);
    await openReview("sheep.jpg");
    const hostile = page.locator(".candidate", { hasText: MARKUP }).first();
    await hostile.locator("label").click();
    expect(await text("#review-chosen h2")).toBe(MARKUP);
    await page.locator("#review-chosen button").click();
    await soon(() => text("#review-status")).toMatch(/is in place/);
    await page.reload();
    await soon(() => text("#review-chosen")).toContain(MARKUP);
    expect(await page.locator('img[src="x"], img[src$="/x"]').count()).toBe(0);
  });

  it("a row without candidates takes the address of a picture", { timeout: WALK_MS }, async () => {
    await page.goto(batchPath);
    await openReview("own.jpg");
    await page.keyboard.press("m");
    await page.getByLabel("Address of the picture").fill("http://127.0.0.1/picture.jpg");
    await page.keyboard.press("Enter");
    await soon(() => text("#manual-problem")).not.toBe("");
    await page
      .getByLabel("Address of the picture")
      .fill("https://upload.wikimedia.org/wikipedia/commons/0/0f/Sheep_and_lamb_in_March.jpg");
    await page.keyboard.press("Enter");
    await soon(() => text("#review-status")).toBe("Your picture is in place.");
    expect(await text("#review-chosen")).toContain("Not checked");
  });

  it("everything comes as one zip", { timeout: WALK_MS }, async () => {
    await page.goto(batchPath);
    await soon(() => text("#batch-progress-text")).toBe("4 of 4 rows searched, 4 done");
    await row("alps.jpg").locator("img").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#batch-zip")]);
    const files = unzipSync(new Uint8Array(await readFile(await download.path())));
    const names = Object.keys(files).map((name) => name.replace(/^deck-7\//, ""));
    for (const filename of ["alps.jpg", "plaza.jpg", "sheep.jpg", "own.jpg"])
      expect(names).toContain(`images/${filename}`);
    expect(names).toEqual(expect.arrayContaining(["image_sources.json", "image_queries.json", "CREDITS.md"]));
    expect(download.suggestedFilename()).toBe("deck-7.zip");
  });

  it("a pasted file makes a batch, whose rows can go to the next page", { timeout: WALK_MS }, async () => {
    await submitText("deck-8", { items: [{ filename: "cat.jpg", query: "cat", status: "Pending" }] });
    await soon(() => row("cat.jpg").innerText()).toContain("on page 1");
    await row("cat.jpg").getByRole("button", { name: "Next page" }).click();
    await soon(() => row("cat.jpg").innerText()).toContain("on page 2");
    await soon(() => text("#batch-state")).toBe("At rest");
    expect(await text("#batch-progress-text")).toBe("1 of 1 row searched, 0 done");
  });

  it("a dropped file is read into the form, and one that is too large is refused", { timeout: WALK_MS }, async () => {
    await page.goto("/batch");
    await page.locator(".segments label", { hasText: "image_queries.json" }).click();
    const queries = JSON.stringify({ items: [{ filename: "cat.jpg", query: "cat", status: "Pending" }] });
    await handOver("drop", "#batch-drop", { name: "image_queries.json", type: "application/json", text: queries });
    await soon(() => page.locator("#batch-json").inputValue()).toBe(queries);
    expect(await text("#batch-status")).toContain("image_queries.json is read");
    const large = { name: "large.json", type: "application/json", text: " ".repeat(5 * 1024 * 1024) };
    await handOver("drop", "#batch-drop", large);
    await soon(() => text("#batch-form")).toContain("It is over 4 MB.");
    expect(await page.locator("#batch-json").inputValue()).toBe(queries);
  });

  it("a batch whose stream breaks off is followed to its end", { timeout: WALK_MS }, async () => {
    let opened = 0;
    await page.route("**/events", async (route) => {
      // Once not at all, and once in the middle of an event.
      opened += 1;
      if (opened === 1) return route.abort("connectionreset");
      if (opened === 2) return route.fulfill({ contentType: "text/event-stream", body: "id: 1\nevent: row\ndata: {" });
      return route.continue();
    });
    // Enough rows one by one that they still run when the stream is opened for the third time.
    const items = Array.from({ length: 20 }, (_, index) => ({
      filename: `cat-${index}.jpg`,
      query: `cat ${index}`,
      status: "Pending",
    }));
    await submitText("deck-10", { items, options: { concurrency: 1 } });
    await soon(() => opened).toBeGreaterThanOrEqual(3);
    await soon(() => text("#batch-state")).toBe("At rest");
    expect(await text("#batch-progress-text")).toContain("20 of 20 rows searched");
    await page.unroute("**/events");
  });

  it("a batch can be cancelled, and says so", { timeout: WALK_MS }, async () => {
    const items = Array.from({ length: 30 }, (_, index) => ({
      filename: `cat-${index}.jpg`,
      query: `cat ${index}`,
      status: "Pending",
    }));
    await submitText("deck-9", { items, options: { concurrency: 1 } });
    await page.click("#batch-cancel");
    await soon(() => text("#batch-state")).toBe("Cancelled");
    expect(await text("#batch-counts")).toMatch(/\d+ waiting/);
    expect(await page.locator("#batch-run").isDisabled()).toBe(true);
  });

  it("the chat shows two tools at work, the answer and its sources", { timeout: WALK_MS }, async () => {
    await page.goto("/chat");
    for (const id of [
      "googleSearchBtn",
      "googleLensBtn",
      "serpapiBingBtn",
      "serpapiBaiduBtn",
      "serpapiImagesBtn",
      "saucenaoBtn",
    ]) {
      await page.locator(`#${id}`).waitFor();
    }
    await page.click("#googleSearchBtn");
    await page.click("#serpapiImagesBtn");
    expect(await page.getAttribute("#googleSearchBtn", "aria-pressed")).toBe("true");
    await page.getByLabel("Your message").fill("cat");
    await page.keyboard.press("Enter");
    await soon(() => page.locator(".turn.answer").getAttribute("aria-busy")).toBeNull();
    expect(await text(".searches")).toMatch(/Web Search “cat” 5 found\s+serpapi\s+5 results/);
    expect(await text(".searches")).toMatch(/Img Search “cat” 6 found/);
    expect(await text(".answer-text")).toBe("Gold is yellow.");
    expect(await page.locator(".sources a").count()).toBeGreaterThan(5);
  });

  it("an answer cannot bring markup, and can be stopped", { timeout: WALK_MS }, async () => {
    await page.goto("/chat");
    await page.locator("#googleSearchBtn").waitFor();
    await page.selectOption("#chat-search", "never");
    await page
      .getByLabel("Your message")
      .fill(`/echo <img src=x onerror="alert(1)"> [x](javascript:alert(2)) **bold**`);
    await page.keyboard.press("Enter");
    await page.locator(".answer-text strong", { hasText: "bold" }).waitFor();
    expect(await text(".answer-text")).toContain("<img src=x onerror=");
    expect(await page.locator(".answer-text img, .answer-text a[href^=javascript]").count()).toBe(0);
    await soon(() => page.locator("#chat-send").isVisible()).toBe(true);
    await page.getByLabel("Your message").fill("/stall");
    await page.keyboard.press("Enter");
    await soon(() => page.locator(".answer-text").last().innerText()).toContain("Gold");
    await page.click("#chat-stop");
    await soon(() => page.locator(".turn.answer").last().innerText()).toContain("Stopped.");
    expect(await page.locator("#chat-send").isVisible()).toBe(true);
  });

  it("an image is attached by the picker and shown to a tool", { timeout: WALK_MS }, async () => {
    await page.goto("/chat");
    await page.click("#saucenaoBtn");
    await page.selectOption("#chat-search", "never");
    await page.getByLabel("Your message").fill("who drew this?");
    await page.keyboard.press("Enter");
    expect(await text("#chat-problem")).toContain("SauceNAO: attach an image");
    await page.setInputFiles("#chat-file", { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
    await soon(() => text("#chat-problem")).toContain("notes.txt is not a PNG");
    const shot = await page.screenshot({ type: "png", clip: { x: 0, y: 0, width: 320, height: 240 } });
    await page.setInputFiles("#chat-file", { name: "shot.png", mimeType: "image/png", buffer: shot });
    await page.locator("#chat-images img").waitFor();
    await page.getByLabel("Your message").press("Enter");
    await page.locator(".search .badge:not(.busy)").waitFor({ timeout: 30_000 });
    expect(await text(".search-head")).toContain("SauceNAO");
    expect(await page.locator(".question img").count()).toBe(1);
  });

  it("an image is pasted or dropped as well", { timeout: WALK_MS }, async () => {
    await page.goto("/chat");
    const dot = { name: "dot.gif", type: "image/gif", text: "GIF89a" };
    await handOver("paste", "#chat-form textarea", dot);
    await soon(() => page.locator("#chat-images img").count()).toBe(1);
    await handOver("drop", "#chat-drop", { ...dot, name: "second.gif" });
    await soon(() => page.locator("#chat-images img").count()).toBe(2);
    await handOver("drop", "#chat-drop", { name: "notes.txt", type: "text/plain", text: "hello" });
    await soon(() => text("#chat-problem")).toContain("notes.txt is not a PNG");
    expect(await page.locator("#chat-images img").count()).toBe(2);
  });

  it("a deployment with keys asks for one, keeps it in the tab and never puts it into an address", async () => {
    const guarded = await visit(browser, site.guarded);
    const addresses: string[] = [];
    guarded.page.on("request", (request) => addresses.push(request.url()));
    await guarded.page.goto("/");
    await guarded.page.locator("#key-dialog").waitFor();
    await guarded.page.getByLabel("Key", { exact: true }).fill("not-the-key");
    await guarded.page.keyboard.press("Enter");
    await soon(() => guarded.page.locator("#key-problem").innerText()).toContain("not known");
    await guarded.page.getByLabel("Key", { exact: true }).fill(site.key);
    await guarded.page.keyboard.press("Enter");
    await soon(() => guarded.page.locator("#providers-summary").innerText()).toContain("are ready");
    await guarded.page.goto("/chat");
    await guarded.page.locator("#googleSearchBtn").waitFor();
    expect(addresses.filter((address) => address.includes(site.key))).toEqual([]);
    expect(await guarded.page.evaluate("localStorage.length")).toBe(0);
    expect(guarded.trespasses).toEqual([]);
    await guarded.page.context().close();
  });

  describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
    it("every page is accessible and fits a phone and a desk", { timeout: 2 * WALK_MS }, async () => {
      const looked = await visit(browser, site.open, { colorScheme, reducedMotion: "reduce" });
      for (const [name, open] of Object.entries(sights({ batch: batchPath, review: reviewPath }))) {
        await open(looked.page);
        for (const width of WIDTHS) {
          await looked.page.setViewportSize({ width, height: 900 });
          expect({ name, width, faults: await seriousFaults(looked.page) }).toEqual({ name, width, faults: [] });
          expect({ name, width, overflow: await overflowOf(looked.page) }).toEqual({ name, width, overflow: 0 });
          await takeShot(looked.page, `${name}-${width}${colorScheme === "dark" ? "-dark" : ""}`);
        }
      }
      expect(looked.trespasses).toEqual([]);
      await looked.page.context().close();
    });
  });

  it("nothing left the origin, and nothing broke the policy", () => {
    expect(visitor.trespasses).toEqual([]);
  });

  async function fillRow(index: number, filename: string, query: string, terms = ""): Promise<void> {
    const fields = page.locator("#batch-rows > li").nth(index);
    await fields.getByLabel("Filename").fill(filename);
    await fields.getByLabel("Query").fill(query);
    await fields.getByLabel("Must be named").fill(terms);
  }

  async function submitText(project: string, body: unknown): Promise<void> {
    await page.goto("/batch");
    await page.getByLabel("Project", { exact: true }).fill(project);
    await page.locator(".segments label", { hasText: "image_queries.json" }).click();
    await page.getByLabel("Text of the file").fill(JSON.stringify(body));
    await page.click("#batch-submit");
    await page.waitForURL(`**/projects/${project}/batches/*`);
    await page.locator("#batch-rows > li").first().waitFor();
  }

  /** As the clipboard or the mouse does it. */
  async function handOver(
    event: "drop" | "paste",
    selector: string,
    file: { readonly name: string; readonly type: string; readonly text: string },
  ): Promise<void> {
    await page.evaluate(`{
      const [kind, selector, { name, type, text }] = ${JSON.stringify([event, selector, file])};
      const data = new DataTransfer();
      data.items.add(new File([text], name, { type }));
      const init = { bubbles: true, cancelable: true };
      document.querySelector(selector).dispatchEvent(
        kind === "drop"
          ? new DragEvent("drop", { ...init, dataTransfer: data })
          : new ClipboardEvent("paste", { ...init, clipboardData: data }),
      );
    }`);
  }

  async function openReview(filename: string): Promise<void> {
    await row(filename).getByRole("button", { name: "Review" }).click();
    await page.waitForURL("**/review/*");
    await page.locator("#review-intent").waitFor();
  }
});
