import { Layout } from "./layout.tsx";

/** A row's candidates behind a signed link. The page has no key and knows no tenant: its token opens one row. */
export function ReviewPage({ token }: { token: string }) {
  return (
    <Layout title="Choose an image" page="review">
      <div id="review" class="review" data-token={token}>
        <div class="review-head section-head">
          <h1 id="review-title">Choose an image</h1>
          <p id="review-status" class="muted" role="status">
            Loading the candidates …
          </p>
        </div>
        <div id="review-problem" class="review-problem"></div>
        <aside id="review-intent" class="review-intent" aria-label="What is wanted" hidden></aside>
        <section id="review-candidates" class="review-candidates" aria-label="Candidates" hidden></section>
        <section id="review-chosen" class="review-chosen" aria-label="Your choice" hidden></section>
      </div>
      <dialog id="manual-dialog" class="dialog" aria-labelledby="manual-title">
        <form id="manual-form" method="dialog">
          <h2 id="manual-title">Use another picture</h2>
          <p class="muted" id="manual-hint">
            The address of the picture itself. Its license is not checked: that you may use it is for you to know.
          </p>
          <p id="manual-problem" class="notice bad" role="alert" hidden></p>
          <div class="field">
            <label for="manual-url">Address of the picture</label>
            <input
              id="manual-url"
              type="url"
              required
              maxlength={2000}
              placeholder="https://"
              autocomplete="off"
              aria-describedby="manual-hint"
            />
          </div>
          <div class="actions">
            <button type="submit" class="button primary" id="manual-submit">
              Take it
            </button>
            <button type="button" class="button quiet" id="manual-cancel">
              Cancel
            </button>
          </div>
        </form>
      </dialog>
      <dialog id="help-dialog" class="dialog" aria-labelledby="help-title">
        <h2 id="help-title">Keyboard</h2>
        <dl class="keys">
          <Shortcut keys="1 – 8">Choose a candidate of this page</Shortcut>
          <Shortcut keys="Enter">Take the chosen one</Shortcut>
          <Shortcut keys="N">Next page of candidates</Shortcut>
          <Shortcut keys="M">Give the address of another picture</Shortcut>
          <Shortcut keys="?">This help</Shortcut>
        </dl>
        <form method="dialog" class="actions">
          <button type="submit" class="button">
            Close
          </button>
        </form>
      </dialog>
    </Layout>
  );
}

function Shortcut({ keys, children }: { keys: string; children: string }) {
  return (
    <div>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
