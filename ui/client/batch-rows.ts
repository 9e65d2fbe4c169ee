import { call, callJson } from "./api.ts";
import { type BatchRow, isReviewable, rowAdvice, STATUS_TONE, STATUS_WORDS } from "./batch-model.ts";
import { append, byId, type Child, h, replace } from "./dom.ts";
import { ownPath } from "./links.ts";

interface Listener {
  /** The row was changed at the server. */
  changed(): Promise<void>;
  failed(error: unknown): void;
}

/** The list of rows. A row is drawn again only when it has changed, so that focus stays where it is. */
export class BatchRows {
  readonly #list = byId("batch-rows");
  readonly #project: string;
  readonly #base: string;
  readonly #listener: Listener;
  readonly #drawn = new Map<string, { readonly element: HTMLElement; readonly as: string }>();

  constructor(project: string, base: string, listener: Listener) {
    this.#project = project;
    this.#base = base;
    this.#listener = listener;
  }

  show(rows: readonly BatchRow[], canRun: boolean): void {
    for (const row of rows) {
      const { filename } = row.item;
      const as = JSON.stringify([row.item, row.running, canRun]);
      const known = this.#drawn.get(filename);
      if (known?.as === as) continue;
      const element = known?.element ?? h("li", { class: "card batch-row" });
      const focused = element.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
      replace(element, this.#content(row, canRun));
      if (focused) [...element.querySelectorAll("button")].find(({ textContent }) => textContent === focused)?.focus();
      if (known === undefined) append(this.#list, element);
      this.#drawn.set(filename, { element, as });
    }
  }

  #content(row: BatchRow, canRun: boolean): Child {
    const { item } = row;
    const next = item.next_candidate_page;
    return [
      h("div", { class: "row-picture" }, this.#picture(row)),
      h(
        "div",
        { class: "row-main" },
        h(
          "div",
          { class: "row-title" },
          h("h3", {}, item.filename),
          h("span", { class: `badge ${row.running ? "busy" : STATUS_TONE[item.status]}` }, stateWords(row)),
        ),
        h("p", { class: "row-query" }, item.query),
        h("p", { class: "muted" }, rowAdvice(row)),
        item.last_error !== undefined && h("p", { class: "row-error" }, item.last_error),
      ),
      h(
        "div",
        { class: "row-actions" },
        isReviewable(row) &&
          this.#button("Review", `Review ${item.filename}`, item.status === "Needs-Selection", () =>
            this.#review(item.filename),
          ),
        canRun &&
          !row.running &&
          typeof next === "number" &&
          this.#button("Next page", `Next page of ${item.filename}`, false, () => this.#nextPage(item.filename, next)),
      ),
    ];
  }

  #button(text: string, label: string, primary: boolean, act: () => Promise<void>): HTMLElement {
    const click = (event: Event) => {
      const button = event.currentTarget as HTMLButtonElement;
      button.disabled = true;
      void act()
        .catch((error: unknown) => this.#listener.failed(error))
        .finally(() => (button.disabled = false));
    };
    return h(
      "button",
      { type: "button", class: `button ${primary ? "primary" : ""}`, "aria-label": label, click },
      text,
    );
  }

  async #review(filename: string): Promise<void> {
    const path = `/v1/projects/${encodeURIComponent(this.#project)}/images/${encodeURIComponent(filename)}/review-link`;
    const { url } = await callJson<{ url: string }>(path, { method: "POST", body: {} });
    location.assign(ownPath(url));
  }

  async #nextPage(filename: string, page: number): Promise<void> {
    const row = `${this.#base}/rows/${encodeURIComponent(filename)}`;
    await call(row, { method: "PATCH", body: { candidate_page: page } });
    await call(`${this.#base}/run`, { method: "POST" });
    await this.#listener.changed();
  }

  /** The picture that is there, or the sheet of those to choose from. Fetched with the key: an `img` could send none. */
  #picture({ item, running }: BatchRow): HTMLElement {
    const stem = item.filename.replace(/\.[^.]+$/, "");
    const isSourced = item.status === "Sourced";
    const file = isSourced ? `.review/${stem}.jpg` : item.review_sheet;
    const frame = h("span", { class: `picture-frame${isSourced ? "" : " sheet"}` }, running ? "…" : "–");
    if (file === undefined || running) return frame;
    const path = file.split("/").map(encodeURIComponent).join("/");
    const alt = isSourced ? `The picture of ${item.filename}` : `The candidates of ${item.filename}`;
    void fill(frame, `/v1/projects/${encodeURIComponent(this.#project)}/files/${path}`, alt);
    return frame;
  }
}

function stateWords({ item, running }: BatchRow): string {
  return running ? "Searching" : STATUS_WORDS[item.status];
}

async function fill(frame: HTMLElement, path: string, alt: string): Promise<void> {
  try {
    const src = URL.createObjectURL(await (await call(path)).blob());
    replace(frame, h("img", { src, alt, load: () => URL.revokeObjectURL(src) }));
  } catch {
    replace(frame, h("span", { class: "muted" }, "No preview"));
  }
}
