import { ApiError, callJson } from "./api.ts";
import { byId, h } from "./dom.ts";
import { problemText } from "./problem-view.ts";

interface BatchPage {
  readonly batches: readonly { id: string; created_at: string }[];
  readonly next: number | null;
}

/** The batches of the project that the form names, newest first. */
export class BatchList {
  readonly #status = byId("batches-status");
  readonly #list = byId("batches");
  readonly #more = byId("batches-more");
  #project = "";
  #next: number | null = null;

  constructor() {
    this.#more.addEventListener("click", () => void this.#load());
  }

  async show(project: string): Promise<void> {
    this.#project = project;
    this.#next = null;
    this.#list.replaceChildren();
    this.#more.hidden = true;
    if (project === "") this.#status.textContent = "Name a project to see its batches.";
    else await this.#load();
  }

  async #load(): Promise<void> {
    const project = this.#project;
    this.#status.textContent = "Loading the batches …";
    try {
      const before = this.#next === null ? "" : `?before=${this.#next}`;
      const page = await callJson<BatchPage>(`/v1/projects/${encodeURIComponent(project)}/batches${before}`);
      if (project !== this.#project) return;
      this.#list.append(...page.batches.map(({ id, created_at: created }) => batchItem(project, id, created)));
      this.#next = page.next;
      this.#more.hidden = page.next === null;
      this.#status.textContent = this.#list.children.length === 0 ? "This project has no batches yet." : "";
    } catch (error) {
      const isNew = error instanceof ApiError && error.status === 404;
      this.#status.textContent = isNew ? "This project has no batches yet." : problemText(error);
    }
  }
}

function batchItem(project: string, id: string, created: string): HTMLElement {
  const when = new Date(created).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
  return h(
    "li",
    {},
    h("a", { href: `/projects/${encodeURIComponent(project)}/batches/${encodeURIComponent(id)}` }, when),
    h("span", { class: "muted" }, id.slice(0, 10)),
  );
}
