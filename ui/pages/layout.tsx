import type { Child } from "hono/jsx";

/** Names the script that fills a page: `ui/client/main.ts` looks it up. */
export type PageName = "home" | "batches" | "batch" | "chat" | "review";

interface LayoutProps {
  readonly title: string;
  readonly page: PageName;
  readonly children: Child;
}

const LINKS = [
  { href: "/", label: "Home", pages: ["home"] },
  { href: "/batch", label: "Batch", pages: ["batches", "batch"] },
  { href: "/chat", label: "Chat", pages: ["chat"] },
] as const;

/** What all pages share. They are shells: everything that a key guards is fetched by the script. */
export function Layout({ title, page, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} – Sluice`}</title>
        <link rel="icon" type="image/svg+xml" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/assets/app.css" />
        <script type="module" src="/assets/app.js"></script>
      </head>
      <body data-page={page}>
        <a class="skip-link" href="#main">
          Skip to content
        </a>
        <header class="site-header">
          <a class="brand" href="/">
            <span class="brand-mark" aria-hidden="true"></span>
            Sluice
          </a>
          <nav aria-label="Pages">
            <ul class="site-nav">
              {LINKS.map(({ href, label, pages }) => (
                <li>
                  <a href={href} aria-current={(pages as readonly string[]).includes(page) ? "page" : undefined}>
                    {label}
                  </a>
                </li>
              ))}
              <li>
                <a href="/docs">API</a>
              </li>
            </ul>
          </nav>
          {page === "review" ? (
            <span class="site-note">Signed link</span>
          ) : (
            <button type="button" id="key-button" class="button quiet" aria-haspopup="dialog">
              Key
            </button>
          )}
        </header>
        <main id="main" tabindex={-1}>
          <noscript>
            <p class="notice bad">These pages need JavaScript. The API works without it: see /docs.</p>
          </noscript>
          {children}
        </main>
        <KeyDialog />
        <div id="announcer" class="visually-hidden" role="status" aria-live="polite"></div>
      </body>
    </html>
  );
}

function KeyDialog() {
  return (
    <dialog id="key-dialog" class="dialog" aria-labelledby="key-title">
      <form id="key-form" method="dialog">
        <h2 id="key-title">API key</h2>
        <p id="key-why" class="muted">
          It stays in this browser tab and is gone when you close it. It is sent as a header, never in an address.
        </p>
        <p id="key-problem" class="notice bad" role="alert" hidden></p>
        <div class="field">
          <label for="key-input">Key</label>
          <input
            id="key-input"
            type="password"
            autocomplete="off"
            spellcheck={false}
            maxlength={200}
            aria-describedby="key-why"
          />
        </div>
        <div class="actions">
          <button type="submit" class="button primary">
            Use this key
          </button>
          <button type="button" id="key-forget" class="button" hidden>
            Forget the key
          </button>
          <button type="button" id="key-cancel" class="button quiet">
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
