import { byId } from "./dom.ts";

const STORED = "sluice-key";

export function currentKey(): string | undefined {
  return sessionStorage.getItem(STORED) ?? undefined;
}

let asking: Promise<boolean> | undefined;
let answered: (given: boolean) => void = () => {};

/** Opens the dialog; true once there is another key than before. Several who ask at once get one dialog. */
export function askForKey(problem?: string): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    answered = resolve;
    openDialog(problem);
  }).finally(() => (asking = undefined));
  return asking;
}

/** Wires the button in the header and the dialog behind it. */
export function startKeyDialog(): void {
  const button = document.getElementById("key-button");
  const dialog = byId("key-dialog", HTMLDialogElement);
  const input = byId("key-input", HTMLInputElement);
  button?.addEventListener("click", async () => {
    // What is shown was fetched with the other key.
    if (await askForKey()) location.reload();
  });
  byId("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const key = input.value.trim();
    if (key === "") return showProblem("Type the key, or cancel.");
    sessionStorage.setItem(STORED, key);
    close(true);
  });
  byId("key-forget").addEventListener("click", () => {
    sessionStorage.removeItem(STORED);
    close(true);
  });
  byId("key-cancel").addEventListener("click", () => close(false));
  dialog.addEventListener("close", () => {
    input.value = "";
    answered(false);
  });
  showState();

  function close(given: boolean): void {
    answered(given);
    dialog.close();
    showState();
  }
}

function openDialog(problem: string | undefined): void {
  showProblem(problem);
  byId("key-forget").hidden = currentKey() === undefined;
  byId("key-dialog", HTMLDialogElement).showModal();
  byId("key-input").focus();
}

function showProblem(problem: string | undefined): void {
  const element = byId("key-problem");
  element.hidden = problem === undefined;
  element.textContent = problem ?? "";
}

function showState(): void {
  const button = document.getElementById("key-button");
  if (button !== null) button.textContent = currentKey() === undefined ? "Key" : "Key: set";
}
