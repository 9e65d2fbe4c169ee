interface DropZone {
  readonly zone: HTMLElement;
  /** Hidden; opened by the button. */
  readonly input: HTMLInputElement;
  readonly button: HTMLElement;
}

/** Files that are dropped on a zone or picked with its button. */
export function takeFiles({ zone, input, button }: DropZone, take: (files: readonly File[]) => void): void {
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    take([...(input.files ?? [])]);
    // The same file can be chosen again.
    input.value = "";
  });
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    take([...(event.dataTransfer?.files ?? [])]);
  });
}
