import { byId, type Child, h, replace } from "./dom.ts";
import { ownPath, webUrl } from "./links.ts";
import { outLink } from "./markdown-view.ts";
import { candidateCard, candidateFacts, candidateHead, fact, nearWords } from "./review-cards.ts";
import { type Candidate, intentLines, isNearMatch, type ReviewState, sizeWords, termWords } from "./review-model.ts";

interface Actions {
  choose(candidate: Candidate, byKey: boolean): void;
  promote(): Promise<void>;
  nextPage(): Promise<void>;
  openManual(): void;
  openHelp(): void;
}

/** Draws the review: what is wanted, the candidates, the chosen one. */
export class ReviewView {
  readonly #actions: Actions;
  readonly #intent = byId("review-intent");
  readonly #candidates = byId("review-candidates");
  readonly #chosen = byId("review-chosen");

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  show(state: ReviewState, chosen: string | undefined): void {
    document.title = `${state.filename} – Sluice`;
    byId("review-title").textContent = state.filename;
    byId("review-status").textContent = statusWords(state);
    for (const part of [this.#intent, this.#candidates, this.#chosen]) part.hidden = false;
    replace(this.#intent, intentView(state));
    replace(this.#candidates, this.#candidateList(state, chosen));
    this.#showChosen(
      state,
      state.candidates.find(({ file }) => file === chosen),
    );
  }

  choose(state: ReviewState, candidate: Candidate, byKey: boolean): void {
    const radio = byId(`candidate-${candidate.rank}`, HTMLInputElement);
    radio.checked = true;
    if (byKey) {
      radio.focus({ preventScroll: true });
      radio.closest("li")?.scrollIntoView({ block: "nearest" });
    }
    this.#showChosen(state, candidate);
  }

  isConfirmed(): boolean {
    const box = document.getElementById("confirm-identity");
    return box instanceof HTMLInputElement && box.checked;
  }

  askToConfirm(): void {
    byId("review-status").textContent = "This is a near match. Say first that you see what it shows.";
    const box = byId("confirm-identity", HTMLInputElement);
    box.setAttribute("aria-invalid", "true");
    box.focus();
  }

  toCandidates(): void {
    const first = this.#candidates.querySelector("input");
    first?.focus({ preventScroll: true });
    this.#candidates.scrollIntoView({ block: "start" });
  }

  setBusy(isBusy: boolean): void {
    byId("review").toggleAttribute("aria-busy", isBusy);
    for (const button of byId("review").querySelectorAll<HTMLButtonElement>("button[data-act]"))
      button.disabled = isBusy;
  }

  #candidateList(state: ReviewState, chosen: string | undefined): Child {
    const { page, candidates, actions } = state;
    const shown = candidates.filter(({ on_page: onPage }) => onPage);
    return [
      h(
        "div",
        { class: "section-head" },
        h("h2", {}, "Candidates"),
        page !== null && h("p", { class: "muted" }, `Page ${page.number}, ${page.total} in all`),
      ),
      shown.length === 0
        ? h("p", { class: "empty" }, emptyWords(state))
        : h(
            "fieldset",
            { class: "candidate-set" },
            h("legend", { class: "visually-hidden" }, "Candidates of this page"),
            h(
              "ol",
              { class: "candidates" },
              shown.map((candidate, index) => {
                const card = candidateCard(candidate, index + 1, candidate.file === chosen);
                card.addEventListener("change", () => this.#actions.choose(candidate, false));
                return card;
              }),
            ),
          ),
      h(
        "div",
        { class: "actions" },
        actions.includes("page") &&
          h(
            "button",
            {
              type: "button",
              class: "button",
              "data-act": true,
              disabled: page?.next === null || page === null,
              click: () => this.#actions.nextPage(),
            },
            "Next page",
            h("kbd", {}, "N"),
          ),
        actions.includes("manual") &&
          h(
            "button",
            { type: "button", class: "button", "data-act": true, click: () => this.#actions.openManual() },
            "Another picture",
            h("kbd", {}, "M"),
          ),
        h(
          "button",
          { type: "button", class: "button quiet", click: () => this.#actions.openHelp() },
          "Keyboard",
          h("kbd", {}, "?"),
        ),
      ),
    ];
  }

  #showChosen(state: ReviewState, candidate: Candidate | undefined): void {
    this.#chosen.classList.toggle("has-choice", candidate !== undefined);
    replace(this.#chosen, candidate === undefined ? inPlace(state) : this.#choice(state, candidate));
  }

  #choice({ actions, intent }: ReviewState, candidate: Candidate): Child {
    const near = isNearMatch(candidate);
    const subject = termWords(candidate.missing_required_terms) || intent?.query || "the right subject";
    return [
      candidateHead(candidate),
      near &&
        h(
          "div",
          { class: "notice warn" },
          h("p", {}, nearWords(candidate)),
          h(
            "label",
            { class: "check" },
            h("input", { type: "checkbox", id: "confirm-identity", change: clearInvalid }),
            ` I see that this is ${subject}`,
          ),
        ),
      actions.includes("promote")
        ? h(
            "button",
            { type: "button", class: "button primary wide", "data-act": true, click: () => this.#actions.promote() },
            "Take this one",
            h("kbd", {}, "Enter"),
          )
        : h("p", { class: "muted" }, "This link lets you look only."),
      candidateFacts(candidate),
    ];
  }
}

function intentView({ intent, row, project, expires_at: expires }: ReviewState): Child {
  return [
    h("h2", {}, "What is wanted"),
    intent === null
      ? h("p", { class: "muted" }, "Nothing is written down.")
      : h(
          "dl",
          { class: "facts" },
          intentLines(intent).map(([name, words]) => fact(name, words)),
        ),
    row?.last_error !== undefined && h("p", { class: "row-error" }, row.last_error),
    row !== null &&
      h(
        "p",
        {},
        h(
          "a",
          { href: `/projects/${encodeURIComponent(project)}/batches/${encodeURIComponent(row.batch)}` },
          "Back to the batch",
        ),
      ),
    h(
      "p",
      { class: "muted" },
      `This link ends on ${new Date(expires).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}.`,
    ),
  ];
}

function inPlace({ image, filename }: ReviewState): Child {
  if (image === null)
    return [h("h2", {}, "Your choice"), h("p", { class: "muted" }, "Choose a candidate to see it large.")];
  const page = webUrl(image.source_page_url);
  return [
    h("h2", {}, "In place now"),
    h("div", { class: "chosen-picture" }, h("img", { src: ownPath(image.picture), alt: image.title || filename })),
    h(
      "dl",
      { class: "facts" },
      fact("Title", page === undefined ? image.title || filename : outLink(page, image.title || filename)),
      fact("Size", sizeWords(image.width, image.height)),
      image.credit !== "" && fact("Credit", image.credit),
      image.license_tier === "manual" && fact("License", "Not checked: a picture of your own"),
    ),
  ];
}

function statusWords({ row, image, candidates }: ReviewState): string {
  if (row?.running === true) return "A search for this row is running.";
  if (image !== null) return "An image is in place. You can still choose another.";
  return candidates.length === 0 ? "There is nothing to choose from yet." : "Choose the picture that fits best.";
}

function emptyWords({ actions }: ReviewState): string {
  return actions.includes("manual")
    ? "No candidate was found. You can give the address of another picture."
    : "No candidate was found.";
}

function clearInvalid(event: Event): void {
  (event.currentTarget as HTMLElement).removeAttribute("aria-invalid");
}
