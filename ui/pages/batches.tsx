import { Layout } from "./layout.tsx";

/** The form of a new batch, and the batches that a project has. */
export function BatchesPage() {
  return (
    <Layout title="Batch" page="batches">
      <h1>Send a batch</h1>
      <p class="lead">
        Each row is one image that you need. Every row is brought to its end, whatever fails in between.
      </p>
      <div class="with-side">
        <form id="batch-form" class="stack card" novalidate aria-label="New batch">
          <div id="batch-faults" class="notice bad" tabindex={-1} hidden></div>
          <div class="field">
            <label for="batch-project">Project</label>
            <input
              id="batch-project"
              name="project"
              required
              maxlength={64}
              autocomplete="off"
              spellcheck={false}
              placeholder="deck-7"
              aria-describedby="batch-project-hint"
            />
            <p id="batch-project-hint" class="hint">
              Lower-case letters, digits, dots, hyphens and underscores.
            </p>
          </div>
          <fieldset class="segments">
            <legend>How to give the rows</legend>
            <label>
              <input type="radio" name="source" value="rows" checked />
              <span>Fill in rows</span>
            </label>
            <label>
              <input type="radio" name="source" value="json" />
              <span>image_queries.json</span>
            </label>
          </fieldset>
          <div id="batch-rows-panel" class="stack">
            <ol id="batch-rows" class="row-editor"></ol>
            <div class="actions">
              <button type="button" id="batch-add-row" class="button">
                Add a row
              </button>
            </div>
          </div>
          <div id="batch-json-panel" class="stack" hidden>
            <div id="batch-drop" class="drop-zone">
              <p>
                Drop an <code>image_queries.json</code> here, or{" "}
                <button type="button" id="batch-pick" class="button">
                  choose a file
                </button>
              </p>
              <input
                id="batch-file"
                type="file"
                accept=".json,application/json"
                aria-label="image_queries.json"
                hidden
              />
            </div>
            <div class="field">
              <label for="batch-json">Text of the file</label>
              <textarea
                id="batch-json"
                rows={12}
                spellcheck={false}
                placeholder={'{"items": [{"filename": "alps.jpg", "query": "french alps", "status": "Pending"}]}'}
              ></textarea>
            </div>
          </div>
          <fieldset class="options">
            <legend>Options</legend>
            <label class="check">
              <input type="checkbox" name="save_candidates" checked /> Let me choose among candidates
            </label>
            <div class="field inline">
              <label for="batch-concurrency">Rows at once</label>
              <input
                id="batch-concurrency"
                name="concurrency"
                type="number"
                min={1}
                max={16}
                value="3"
                data-pointer="/options/concurrency"
              />
            </div>
          </fieldset>
          <div class="actions">
            <button type="submit" class="button primary" id="batch-submit">
              Send the batch
            </button>
            <p id="batch-status" class="muted" role="status"></p>
          </div>
        </form>
        <section class="stack side" aria-labelledby="batches-title">
          <h2 id="batches-title">Batches of this project</h2>
          <p id="batches-status" class="muted" role="status">
            Name a project to see its batches.
          </p>
          <ul id="batches" class="link-list"></ul>
          <button type="button" id="batches-more" class="button" hidden>
            Show earlier ones
          </button>
        </section>
      </div>
    </Layout>
  );
}
