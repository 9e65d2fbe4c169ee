import type { FieldFault } from "./api.ts";
import { pointerWords } from "./batch-input.ts";
import { byId, h, replace } from "./dom.ts";

const MOST_SHOWN = 50;

/** Shows every fault beside its field, and all of them above the form with a way to each. */
export function showFaults(form: HTMLElement, title: string, faults: readonly FieldFault[]): void {
  clearFaults(form);
  const summary = byId("batch-faults");
  const items = faults.slice(0, MOST_SHOWN).map((fault, index) => {
    const field = fieldOf(form, fault.pointer);
    const words = `${pointerWords(fault.pointer)}: ${fault.detail}`;
    if (field === undefined) return h("li", {}, words);
    mark(field, fault, `fault-${index}`);
    return h("li", {}, h("a", { href: `#${field.id}`, click: (event) => jump(event, field) }, words));
  });
  const rest = faults.length - items.length;
  replace(summary, h("p", {}, h("strong", {}, title)), h("ul", {}, items), rest > 0 && h("p", {}, `And ${rest} more.`));
  summary.hidden = false;
  summary.focus();
}

export function clearFaults(form: HTMLElement): void {
  byId("batch-faults").hidden = true;
  for (const text of form.querySelectorAll(".field-fault")) text.remove();
  for (const field of form.querySelectorAll<HTMLElement>("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    describe(field, [hintOf(field)]);
  }
}

/** The field of the pointer itself, or of what it stands in: `/items/0/required_terms/1` is in one field. */
function fieldOf(form: HTMLElement, pointer: string): HTMLElement | undefined {
  const fields = [...form.querySelectorAll<HTMLElement>("[data-pointer]")].filter(
    // What is folded away cannot be gone to.
    (field) => field.closest("[hidden]") === null,
  );
  return fields.find(({ dataset }) => pointer === dataset["pointer"] || pointer.startsWith(`${dataset["pointer"]}/`));
}

function mark(field: HTMLElement, { detail }: FieldFault, id: string): void {
  field.setAttribute("aria-invalid", "true");
  describe(field, [hintOf(field), id]);
  field.insertAdjacentElement("afterend", h("p", { class: "field-fault", id }, detail));
}

/** What described the field before any fault: its fault stands behind it. */
function hintOf(field: HTMLElement): string | undefined {
  return field
    .getAttribute("aria-describedby")
    ?.split(" ")
    .find((id) => !id.startsWith("fault-"));
}

function describe(field: HTMLElement, ids: readonly (string | undefined)[]): void {
  const described = ids.filter((id) => id !== undefined);
  if (described.length === 0) field.removeAttribute("aria-describedby");
  else field.setAttribute("aria-describedby", described.join(" "));
}

function jump(event: Event, field: HTMLElement): void {
  event.preventDefault();
  field.focus();
}
