import { callJson } from "./api.ts";
import { type Attempt, attemptTrail } from "./attempts-view.ts";
import { announce, byId, type Child, h, replace } from "./dom.ts";
import { type ImageResult, imageItem, pictureLoader, PICTURES } from "./home-images.ts";
import { hostOf, webUrl } from "./links.ts";
import { markdownElements, outLink } from "./markdown-view.ts";
import { problemNotice } from "./problem-view.ts";

interface WebResult {
  readonly title: string;
  readonly link: string;
  readonly snippet: string;
  readonly date?: string;
}

interface Found<T> {
  readonly results: readonly T[];
  readonly degraded?: true;
  readonly attempts: readonly Attempt[];
}

interface Answer {
  readonly answer: string | null;
  readonly results: readonly { title: string; url: string; snippet: string }[];
  readonly searched_with: string;
  readonly untrusted_note: string | null;
  readonly attempts: readonly Attempt[];
}

type Kind = "web" | "images" | "answer";

const BUSY: Readonly<Record<Kind, string>> = {
  web: "Searching the web …",
  images: "Searching images …",
  answer: "Looking for an answer …",
};

/** The search box: one kind at a time, the newest request wins. */
export function startSearch(): void {
  const form = byId("search-form", HTMLFormElement);
  const results = byId("search-results");
  let running = new AbortController();
  form.addEventListener("change", () => (byId("cleared-option").hidden = kindOf(form) !== "images"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const query = byId("search-query", HTMLInputElement).value.trim();
    if (query === "") return;
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const kind = kindOf(form);
    results.hidden = false;
    results.setAttribute("aria-busy", "true");
    replace(results, h("p", { class: "empty" }, BUSY[kind]));
    try {
      const { said, content } = await search(kind, query, new FormData(form).has("cleared"), signal);
      replace(results, content);
      announce(said);
    } catch (error) {
      if (signal.aborted) return;
      replace(
        results,
        problemNotice(error, () => form.requestSubmit()),
      );
    }
    results.removeAttribute("aria-busy");
  });
}

function kindOf(form: HTMLFormElement): Kind {
  return new FormData(form).get("kind") as Kind;
}

interface Shown {
  readonly said: string;
  readonly content: Child;
}

async function search(kind: Kind, query: string, cleared: boolean, signal: AbortSignal): Promise<Shown> {
  const post = <T>(path: string, body: unknown) => callJson<T>(path, { method: "POST", body, signal });
  switch (kind) {
    case "web":
      return found(await post<Found<WebResult>>("/v1/web-search", { query }), "web-results", webItem);
    case "images": {
      const body = { query, num: PICTURES, ...(cleared ? { license: "cleared" } : {}) };
      const answer = await post<Found<ImageResult>>("/v1/image-search", body);
      const shown = found(answer, "image-results", imageItem);
      return cleared || answer.results.length === 0
        ? shown
        : { ...shown, content: [pictureLoader(query), shown.content] };
    }
    case "answer":
      return answered(await post<Answer>("/v1/answer", { query }));
  }
}

function found<T>({ results, degraded, attempts }: Found<T>, name: string, item: (result: T) => HTMLElement): Shown {
  const nothing = degraded
    ? "Nothing was found, but not everyone answered: the same search may find something later."
    : "Everyone who was asked answered: nothing. Try other words.";
  const said = results.length === 0 ? nothing : `${results.length} results`;
  return {
    said,
    content: [
      results.length === 0 ? h("p", { class: "empty" }, nothing) : h("ol", { class: name }, results.map(item)),
      attemptTrail(attempts),
    ],
  };
}

function webItem({ title, link, snippet, date }: WebResult): HTMLElement {
  const url = webUrl(link);
  return h(
    "li",
    { class: "result" },
    h("p", { class: "result-host muted" }, url === undefined ? link : hostOf(url), date !== undefined && ` · ${date}`),
    h("h3", {}, url === undefined ? title : outLink(url, title || url)),
    h("p", {}, snippet),
  );
}

function answered({ answer, results, searched_with: by, untrusted_note: note, attempts }: Answer): Shown {
  return {
    said: answer === null ? withoutAnswer(results.length) : "The answer is here.",
    content: [
      h(
        "div",
        { class: "card answer" },
        answer === null ? h("p", {}, withoutAnswer(results.length)) : markdownElements(answer),
        by !== "none" && h("p", { class: "muted" }, `Searched with ${by === "gemini" ? "Gemini" : "Tavily"}`),
        note !== null && h("p", { class: "muted" }, note),
      ),
      results.length > 0 && h("h3", {}, "Sources"),
      h(
        "ol",
        { class: "web-results" },
        results.map(({ title, url, snippet }) => webItem({ title, link: url, snippet })),
      ),
      attemptTrail(attempts),
    ],
  };
}

function withoutAnswer(sources: number): string {
  return sources === 0 ? "Nobody found an answer. Try other words." : "There is no answer, only sources.";
}
