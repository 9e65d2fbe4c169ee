import { byId, h, replace } from "./dom.ts";
import { takeFiles } from "./drop-zone.ts";

const MOST_IMAGES = 5;
/** As data URLs they are a third longer; the API takes 15 Mi characters. */
const MOST_BYTES = 10 * 1024 * 1024;
const TYPES = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

interface Attached {
  readonly name: string;
  readonly bytes: number;
  readonly dataUrl: string;
}

/** Images for the next message: dropped, pasted or picked. */
export class ChatImages {
  #images: readonly Attached[] = [];
  readonly #problem: (text: string | undefined) => void;

  constructor(problem: (text: string | undefined) => void) {
    this.#problem = problem;
    const input = byId("chat-file", HTMLInputElement);
    takeFiles({ zone: byId("chat-drop"), input, button: byId("chat-pick") }, (files) => void this.#add(files));
    byId("chat-form").addEventListener("paste", (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void this.#add(files);
    });
  }

  dataUrls(): string[] {
    return this.#images.map(({ dataUrl }) => dataUrl);
  }

  clear(): void {
    this.#images = [];
    this.#draw();
  }

  async #add(files: readonly File[]): Promise<void> {
    this.#problem(undefined);
    for (const file of files) {
      const refusal = this.#refusal(file);
      if (refusal === undefined) {
        const dataUrl = await readDataUrl(file);
        this.#images = [...this.#images, { name: file.name || "pasted image", bytes: file.size, dataUrl }];
      } else this.#problem(refusal);
    }
    this.#draw();
  }

  #refusal(file: File): string | undefined {
    if (!TYPES.has(file.type)) return `${file.name} is not a PNG, JPEG, WebP or GIF.`;
    if (this.#images.length >= MOST_IMAGES) return `A message takes ${MOST_IMAGES} images.`;
    const bytes = this.#images.reduce((sum, image) => sum + image.bytes, file.size);
    return bytes > MOST_BYTES ? `${file.name} is too large: all images together may have 10 MB.` : undefined;
  }

  #draw(): void {
    const items = this.#images.map((image) => {
      const remove = () => {
        this.#images = this.#images.filter((each) => each !== image);
        this.#draw();
        byId("chat-pick").focus();
      };
      return h(
        "li",
        {},
        h("img", { src: image.dataUrl, alt: image.name }),
        h(
          "button",
          { type: "button", class: "button small", "aria-label": `Remove ${image.name}`, click: remove },
          "Remove",
        ),
      );
    });
    replace(byId("chat-images"), items);
  }
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(new Error("The file cannot be read.")));
    reader.readAsDataURL(file);
  });
}
