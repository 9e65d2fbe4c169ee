import type { RowInput } from "./batch-input.ts";
import { announce, byId, h } from "./dom.ts";

const FIELDS = [
  { name: "filename", label: "Filename", placeholder: "alps.jpg" },
  { name: "query", label: "Query", placeholder: "french alpine landscape" },
  { name: "required_terms", label: "Must be named", placeholder: "Alps|Alpes" },
] as const;
const ORIENTATIONS = ["any", "landscape", "portrait", "square"];

let made = 0;

/** Rows as groups of fields. Each field knows the JSON pointer under which the API names its faults. */
export class RowEditor {
  readonly #list = byId("batch-rows");

  constructor() {
    byId("batch-add-row").addEventListener("click", () => this.add().querySelector("input")?.focus());
    this.add();
  }

  rows(): RowInput[] {
    return [...this.#list.children].map((row) => ({
      filename: valueOf(row, "filename"),
      query: valueOf(row, "query"),
      required_terms: valueOf(row, "required_terms"),
      orientation: valueOf(row, "orientation"),
    }));
  }

  add(): HTMLElement {
    const row = this.#row(`row-${made++}`);
    this.#list.append(row);
    this.#number();
    return row;
  }

  #row(prefix: string): HTMLElement {
    const fields = FIELDS.map(({ name, label, placeholder }) =>
      h(
        "div",
        { class: "field" },
        h("label", { for: `${prefix}-${name}` }, label),
        h("input", { id: `${prefix}-${name}`, "data-field": name, placeholder, autocomplete: "off", maxlength: 400 }),
      ),
    );
    const shape = h(
      "div",
      { class: "field" },
      h("label", { for: `${prefix}-orientation` }, "Shape"),
      h(
        "select",
        { id: `${prefix}-orientation`, "data-field": "orientation" },
        ORIENTATIONS.map((value) => h("option", { value }, value)),
      ),
    );
    const item: HTMLElement = h("li");
    const remove = h(
      "button",
      { type: "button", class: "button quiet row-remove", click: () => this.#remove(item) },
      "Remove",
    );
    item.append(h("div", { class: "row-fields", role: "group" }, fields, shape, remove));
    return item;
  }

  #remove(row: Element): void {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    if (this.#list.children.length === 0) this.add();
    this.#number();
    (next ?? this.#list.firstElementChild)?.querySelector("input")?.focus();
    announce("The row is removed.");
  }

  /** Names and pointers follow the order. */
  #number(): void {
    for (const [index, row] of [...this.#list.children].entries()) {
      row.querySelector(".row-fields")?.setAttribute("aria-label", `Row ${index + 1}`);
      row.querySelector(".row-remove")?.setAttribute("aria-label", `Remove row ${index + 1}`);
      for (const field of row.querySelectorAll<HTMLElement>("[data-field]")) {
        field.dataset["pointer"] = `/items/${index}/${field.dataset["field"]}`;
      }
    }
  }
}

function valueOf(row: Element, name: string): string {
  return row.querySelector<HTMLInputElement | HTMLSelectElement>(`[data-field="${name}"]`)?.value ?? "";
}
