import { type Attempt, attemptItem } from "./attempts-view.ts";
import { type Source, sourcesOf } from "./chat-sources.ts";
import { append, byId, h, replace } from "./dom.ts";
import { hostOf } from "./links.ts";
import { markdownElements, outLink } from "./markdown-view.ts";

interface Search {
  readonly state: HTMLElement;
  readonly attempts: HTMLElement;
}

const OUTCOMES: Readonly<Record<string, string>> = { hit: "found", empty: "found nothing", failed: "failed" };

/** One message and its answer in the log: the searches, the answer as it grows, the sources. */
export class ChatTurn {
  readonly #labelOf: (tool: string) => string;
  readonly #searches = h("ul", { class: "searches", "aria-label": "Searches" });
  readonly #answer = h("div", { class: "answer-text" });
  readonly #footer = h("div", { class: "answer-footer" });
  readonly #byTool = new Map<string, Search>();
  readonly #element: HTMLElement;
  #sources: Source[] = [];
  #text = "";
  #drawing = false;

  constructor(message: string, images: readonly string[], labelOf: (tool: string) => string) {
    this.#labelOf = labelOf;
    const question = h(
      "li",
      { class: "turn question" },
      h("p", { class: "turn-who" }, "You"),
      h("p", { class: "question-text" }, message),
      images.length > 0 &&
        h(
          "div",
          { class: "thumbs" },
          images.map((src, index) => h("img", { src, alt: `Attached image ${index + 1}` })),
        ),
    );
    this.#element = h(
      "li",
      { class: "turn answer", "aria-busy": "true" },
      h("p", { class: "turn-who" }, "Sluice"),
      this.#searches,
      this.#answer,
      this.#footer,
    );
    this.say("Thinking …");
    append(byId("chat-log"), [question, this.#element]);
    this.#element.scrollIntoView({ block: "nearest" });
  }

  get text(): string {
    return this.#text;
  }

  say(words: string): void {
    replace(this.#footer, h("p", { class: "muted" }, words));
  }

  searchStarted(tool: string, query: string): void {
    const state = h("span", { class: "badge busy" }, "searching");
    const attempts = h("ol", { class: "attempts" });
    this.#byTool.set(tool, { state, attempts });
    append(
      this.#searches,
      h(
        "li",
        { class: "search" },
        h("p", { class: "search-head" }, h("strong", {}, this.#labelOf(tool)), ` “${query}” `, state),
        attempts,
      ),
    );
  }

  attempted(tool: string, attempt: Attempt): void {
    const search = this.#byTool.get(tool);
    if (search !== undefined) append(search.attempts, attemptItem(attempt));
  }

  searchEnded(tool: string, outcome: string, results: readonly unknown[]): void {
    const search = this.#byTool.get(tool);
    if (search === undefined) return;
    search.state.className = `badge ${outcome === "hit" ? "good" : outcome === "empty" ? "plain" : "bad"}`;
    search.state.textContent = outcome === "hit" ? `${results.length} found` : (OUTCOMES[outcome] ?? outcome);
    const known = new Set(this.#sources.map(({ url }) => url));
    this.#sources.push(...sourcesOf(results).filter(({ url }) => !known.has(url)));
  }

  grow(piece: string): void {
    this.#text += piece;
    // Many pieces a second; the eye sees one drawing a frame.
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      this.#draw();
    });
  }

  end(response: string | undefined): void {
    if (response !== undefined) this.#text = response;
    this.#draw();
    this.#element.removeAttribute("aria-busy");
    replace(this.#footer, this.#sources.length > 0 && sourceList(this.#sources));
  }

  fail(notice: HTMLElement): void {
    this.end(undefined);
    append(this.#footer, notice);
  }

  #draw(): void {
    replace(this.#answer, markdownElements(this.#text));
  }
}

function sourceList(sources: readonly Source[]): HTMLElement {
  return h(
    "details",
    { class: "sources", open: true },
    h("summary", {}, `Sources (${sources.length})`),
    h(
      "ol",
      {},
      sources.map(({ title, url }) =>
        h("li", {}, outLink(url, title), " ", h("span", { class: "muted" }, hostOf(url))),
      ),
    ),
  );
}
