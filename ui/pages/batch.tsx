import { Layout } from "./layout.tsx";

/** One batch as it runs. */
export function BatchPage({ project, batch }: { project: string; batch: string }) {
  return (
    <Layout title={`Batch of ${project}`} page="batch">
      <p class="crumbs">
        <a href={`/batch?project=${encodeURIComponent(project)}`}>Batches of {project}</a>
      </p>
      <div id="batch" class="stack" data-project={project} data-batch={batch}>
        <div class="section-head">
          <h1>Batch of {project}</h1>
          <p id="batch-state" class="muted" role="status">
            Loading the batch …
          </p>
        </div>
        <div id="batch-problem"></div>
        <section class="card stack" aria-label="Progress">
          <div class="progress-line">
            <progress id="batch-progress" max={1} value={0} aria-labelledby="batch-progress-text"></progress>
            <p id="batch-progress-text"></p>
          </div>
          <ul id="batch-counts" class="counts" aria-label="Rows by state"></ul>
          <div class="actions">
            <button type="button" id="batch-run" class="button" disabled>
              Run what is left
            </button>
            <button type="button" id="batch-zip" class="button" disabled>
              Download as zip
            </button>
            <button type="button" id="batch-cancel" class="button danger" disabled>
              Cancel
            </button>
          </div>
        </section>
        <section class="stack" aria-labelledby="rows-title">
          <h2 id="rows-title">Rows</h2>
          <ul id="batch-rows" class="batch-rows"></ul>
        </section>
      </div>
    </Layout>
  );
}
