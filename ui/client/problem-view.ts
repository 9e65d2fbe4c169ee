import { ApiError } from "./api.ts";
import { h } from "./dom.ts";

/** What went wrong, in words, with a way on. */
export function problemNotice(error: unknown, retry?: () => void): HTMLElement {
  const known = error instanceof ApiError ? error : undefined;
  return h(
    "div",
    { class: "notice bad", role: "alert" },
    h("p", {}, h("strong", {}, known?.title || "Something went wrong")),
    h("p", {}, known?.message ?? "The page could not go on. Load it again."),
    h(
      "p",
      { class: "actions" },
      retry !== undefined && h("button", { type: "button", class: "button small", click: retry }, "Try again"),
      known?.code ? h("a", { href: `/problems/${encodeURIComponent(known.code)}` }, "What this means") : undefined,
    ),
  );
}

/** One line for places where a notice has no room. */
export function problemText(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong. Load the page again.";
  return error.title === "" ? error.message : `${error.title}: ${error.message}`;
}
