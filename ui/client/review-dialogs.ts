import { byId } from "./dom.ts";
import { problemText } from "./problem-view.ts";

export function openHelp(): void {
  byId("help-dialog", HTMLDialogElement).showModal();
}

/** Asks for the address of another picture. `take` stores it; what it throws stands in the dialog. */
export function startManualDialog(take: (url: string) => Promise<void>): () => void {
  const dialog = byId("manual-dialog", HTMLDialogElement);
  const url = byId("manual-url", HTMLInputElement);
  const submit = byId("manual-submit", HTMLButtonElement);
  byId("manual-cancel").addEventListener("click", () => dialog.close());
  byId("manual-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    show(undefined);
    try {
      await take(url.value.trim());
      dialog.close();
    } catch (error) {
      show(problemText(error));
    } finally {
      submit.disabled = false;
    }
  });
  return () => {
    show(undefined);
    dialog.showModal();
    url.focus();
  };
}

function show(problem: string | undefined): void {
  const element = byId("manual-problem");
  element.hidden = problem === undefined;
  element.textContent = problem ?? "";
}
