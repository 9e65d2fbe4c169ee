import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../../local/folders.ts";

const SHOTS = join(ROOT, "test-results");

/** Each page with something on it, by the name of its screenshots. */
export function sights(paths: {
  readonly batch: string;
  readonly review: string;
}): Readonly<Record<string, (page: Page) => Promise<void>>> {
  return {
    home: async (page) => {
      await page.goto("/");
      await page.locator("#providers > li").first().waitFor();
      await page.fill("#search-query", "airplane from above");
      await page.locator(".segments label", { hasText: "Images" }).click();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Show pictures" }).click();
      await page.locator(".image-results img").first().waitFor();
    },
    batches: async (page) => {
      await page.goto("/batch?project=deck-7");
      await page.locator("#batches a").waitFor();
      await page.click("#batch-submit");
      await page.locator("#batch-faults a").first().waitFor();
    },
    batch: async (page) => {
      await page.goto(paths.batch);
      await page.locator("#batch-rows img").nth(3).waitFor();
    },
    review: async (page) => {
      await page.goto(paths.review);
      await page.locator(".candidate.near label").first().click();
      await page.locator("#confirm-identity").waitFor();
      await page.waitForLoadState("networkidle");
    },
    chat: async (page) => {
      await page.goto("/chat");
      await page.click("#googleSearchBtn");
      await page.click("#serpapiImagesBtn");
      await page.getByLabel("Your message").fill("cat");
      await page.keyboard.press("Enter");
      await page.locator(".sources").waitFor();
    },
  };
}

/** The whole page into `test-results`, for people to look at. */
export async function takeShot(page: Page, name: string): Promise<void> {
  await mkdir(SHOTS, { recursive: true });
  // On a phone what is to be done with a choice stands at the lower edge of the window.
  const atEnd = (page.viewportSize()?.width ?? 0) < 768 && name.startsWith("review");
  await page.evaluate(`scrollTo(0, ${atEnd ? "document.body.scrollHeight" : 0})`);
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: !atEnd });
}
