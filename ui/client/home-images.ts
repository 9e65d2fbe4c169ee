import { callJson } from "./api.ts";
import { h } from "./dom.ts";
import { webUrl } from "./links.ts";
import { outLink } from "./markdown-view.ts";
import { problemText } from "./problem-view.ts";

export interface ImageResult {
  readonly title: string;
  readonly imageUrl: string;
  readonly thumbnailUrl: string;
  readonly width?: number;
  readonly height?: number;
  readonly link: string;
  readonly source: string;
  readonly license?: { readonly tier: string; readonly name: string; readonly url: string };
  readonly credit?: string;
}

/** Without its picture, which lies elsewhere: this page asks nobody but its own origin. */
export function imageItem(image: ImageResult): HTMLElement {
  const page = webUrl(image.link) ?? webUrl(image.imageUrl);
  const title = image.title || "Without a title";
  const size = image.width && image.height ? `${image.width} × ${image.height}` : undefined;
  const licenseUrl = webUrl(image.license?.url);
  return h(
    "li",
    { class: "card image-result", "data-link": image.link },
    h("h3", {}, page === undefined ? title : outLink(page, title)),
    h("p", { class: "muted" }, [image.source, size].filter(Boolean).join(" · ")),
    image.license !== undefined &&
      h(
        "p",
        {},
        h(
          "span",
          { class: `badge ${image.license.tier === "no-attribution" ? "good" : "info"}` },
          image.license.tier === "no-attribution" ? "No credit needed" : "Credit needed",
        ),
        " ",
        licenseUrl === undefined ? image.license.name : outLink(licenseUrl, image.license.name),
      ),
    image.credit !== undefined && h("p", { class: "credit" }, image.credit),
  );
}

/** As many as the deployment copies at once. */
export const PICTURES = 10;

/** A button that has the deployment fetch copies of the pictures, where it keeps any, and puts them into the list. */
export function pictureLoader(query: string): HTMLElement {
  const status = h(
    "span",
    { class: "muted", role: "status" },
    "The pictures lie on other sites, and this page asks none.",
  );
  const button = h("button", { type: "button", class: "button small" }, "Show pictures");
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = "Fetching copies …";
    try {
      const body = { search_type: "image", query, num: PICTURES };
      const { results } = await callJson<{ results: ImageResult[] }>("/search", { method: "POST", body });
      const shown = results.filter(showPicture).length;
      status.textContent =
        shown > 0 ? `${shown} pictures are shown.` : "This deployment keeps no copies of pictures: follow the links.";
      button.hidden = shown > 0;
    } catch (error) {
      status.textContent = problemText(error);
    }
    button.disabled = false;
  });
  return h("p", { class: "actions" }, button, status);
}

/** Whether there was a copy of ours and a card of the same page for it. */
function showPicture({ imageUrl, link }: ImageResult): boolean {
  const url = webUrl(imageUrl);
  if (url === undefined || new URL(url).origin !== location.origin) return false;
  const cards = [...document.querySelectorAll<HTMLElement>(".image-result")];
  const card = cards.find((each) => each.dataset["link"] === link && each.querySelector("img") === null);
  card?.prepend(h("img", { src: url, alt: "" }));
  return card !== undefined;
}
