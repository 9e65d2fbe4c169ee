import { commandOf, type ReviewCommand } from "./review-keys.ts";

/** Tells what the keys of the page ask for. */
export function startKeys(act: (command: ReviewCommand) => void): void {
  document.addEventListener("keydown", (event) => {
    // A dialog has keys of its own.
    if (event.repeat || document.querySelector("dialog[open]") !== null) return;
    const command = commandOf({
      key: event.key,
      ctrlKey: event.ctrlKey,
      altKey: event.altKey,
      metaKey: event.metaKey,
      focus: focusOf(document.activeElement),
    });
    if (command === undefined) return;
    event.preventDefault();
    act(command);
  });
}

function focusOf(element: Element | null): string {
  if (element instanceof HTMLInputElement) return `input:${element.type}`;
  return element?.tagName.toLowerCase() ?? "";
}
