import axe, { type AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

const REPORT = "content-security-policy-violation:";

/** A page, and a record of what must not happen on it. */
export interface Visitor {
  readonly page: Page;
  /** Requests to other origins, violations of the policy, and errors of scripts. */
  readonly trespasses: string[];
}

/** Opens a page of its own at an origin. */
export async function visit(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const trespasses: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === origin || url.protocol === "data:" || url.protocol === "blob:";
    if (!isOwn) trespasses.push(`request to ${url.href}`);
  });
  page.on("pageerror", (error) => trespasses.push(`error of a script: ${error.message}`));
  page.on("dialog", (dialog) => {
    trespasses.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    const text = message.text();
    if (text.startsWith(REPORT) || text.includes("Content Security Policy")) trespasses.push(text);
  });
  await page.addInitScript(
    `document.addEventListener("securitypolicyviolation", (event) =>
      console.error("${REPORT}", event.violatedDirective, event.blockedURI));`,
  );
  return { page, trespasses };
}

/** What axe finds on a page that is serious or worse, in one line each. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${String(target)}: ${failureSummary ?? ""}`),
    );
}

/** How far a page reaches beyond its right edge, in pixels. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

export function focusedId(page: Page): Promise<string | null> {
  return page.locator(":focus").getAttribute("id");
}
