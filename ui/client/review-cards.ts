import { type Child, h } from "./dom.ts";
import { ownPath, webUrl } from "./links.ts";
import { outLink } from "./markdown-view.ts";
import { type Candidate, isNearMatch, sizeWords, termWords } from "./review-model.ts";

/** A candidate as a radio button that looks like a card: arrow keys and screen readers know what to do with it. */
export function candidateCard(candidate: Candidate, place: number, isChosen: boolean): HTMLElement {
  const near = isNearMatch(candidate);
  const id = `candidate-${candidate.rank}`;
  return h(
    "li",
    { class: `candidate${near ? " near" : ""}${candidate.selected ? " stored" : ""}` },
    h(
      "label",
      { for: id },
      h(
        "span",
        { class: "candidate-picture" },
        candidatePicture(candidate),
        h("span", { class: "candidate-number" }, place),
      ),
      h(
        "span",
        { class: "candidate-line" },
        h("input", {
          type: "radio",
          name: "candidate",
          id,
          value: candidate.file,
          checked: isChosen,
          "aria-describedby": `${id}-facts`,
        }),
        h("span", { class: "candidate-title" }, candidate.title || "Without a title"),
      ),
    ),
    h(
      "div",
      { id: `${id}-facts`, class: "candidate-facts" },
      h("p", { class: "badges" }, badgesOf(candidate)),
      near && h("p", { class: "near-text" }, nearWords(candidate)),
      h(
        "p",
        { class: "muted" },
        [candidate.author, sizeWords(candidate.width, candidate.height)].filter(Boolean).join(" · "),
      ),
      whyOf(candidate),
    ),
  );
}

/** The chosen one, large. */
export function candidateHead(candidate: Candidate): Child {
  return [
    h("div", { class: "chosen-picture" }, candidatePicture(candidate)),
    h("h2", {}, candidate.title || "Without a title"),
    h("p", { class: "badges" }, badgesOf(candidate)),
  ];
}

/** All that is known of it. */
export function candidateFacts(candidate: Candidate): HTMLElement {
  const page = webUrl(candidate.source_page_url);
  const license = webUrl(candidate.license_url);
  return h(
    "dl",
    { class: "facts" },
    fact("Author", candidate.author || "not named"),
    fact("License", license === undefined ? candidate.license_name : outLink(license, candidate.license_name)),
    fact("Original", `${sizeWords(candidate.width, candidate.height)}`),
    fact("From", page === undefined ? candidate.provider : outLink(page, candidate.provider)),
    candidate.credit !== "" && fact("Credit", candidate.credit),
    candidate.why.length > 0 &&
      fact(
        "Why it ranks here",
        h(
          "ul",
          {},
          candidate.why.map((reason) => h("li", {}, reason)),
        ),
      ),
  );
}

export function fact(name: string, value: Child): HTMLElement {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

function candidatePicture({
  picture,
  title,
  rank,
  preview_width: width,
  preview_height: height,
}: Candidate): HTMLElement {
  const alt = title === "" ? `Candidate ${rank}` : title;
  return h("img", { src: ownPath(picture), alt, width, height, loading: "lazy" });
}

function badgesOf(candidate: Candidate): Child[] {
  return [
    isNearMatch(candidate) && h("span", { class: "badge warn" }, "Near match"),
    candidate.selected && h("span", { class: "badge good" }, "In place now"),
    h("span", { class: "badge plain" }, candidate.provider),
    h(
      "span",
      { class: `badge ${candidate.attribution_required ? "info" : "good"}` },
      `${candidate.attribution_required ? "Credit needed" : "No credit needed"}: ${candidate.license_name}`,
    ),
  ];
}

export function nearWords({ missing_required_terms: missing }: Candidate): string {
  return missing.length === 0
    ? "Nothing proves what this shows. Look closely."
    : `Nothing in its description says that this is ${termWords(missing)}. Look closely.`;
}

function whyOf({ why }: Candidate): Child {
  if (why.length === 0) return undefined;
  return h(
    "details",
    { class: "why" },
    h("summary", {}, "Why it ranks here"),
    h(
      "ul",
      {},
      why.map((reason) => h("li", {}, reason)),
    ),
  );
}
