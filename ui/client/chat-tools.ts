import { callJson } from "./api.ts";
import { byId, h, replace } from "./dom.ts";
import { problemNotice } from "./problem-view.ts";

interface Tool {
  readonly id: string;
  readonly label: string;
  /** The element id that other programs of this contract know. */
  readonly button: string | null;
  readonly needs: "query" | "image";
}

/** One toggle for each tool of the deployment, in its order. */
export class ChatTools {
  readonly #root = byId("chat-tools");
  #tools: readonly Tool[] = [];

  async load(): Promise<void> {
    try {
      this.#tools = (await callJson<{ tools: Tool[] }>("/v1/tools")).tools;
      replace(this.#root, this.#tools.map(toolButton));
    } catch (error) {
      replace(
        this.#root,
        problemNotice(error, () => void this.load()),
      );
    }
  }

  chosen(): string[] {
    return this.#tools.filter((tool) => isPressed(document.getElementById(buttonId(tool)))).map(({ id }) => id);
  }

  /** Labels of chosen tools that look at an image. */
  needingImage(): string[] {
    const chosen = this.chosen();
    return this.#tools.filter(({ id, needs }) => needs === "image" && chosen.includes(id)).map(({ label }) => label);
  }

  labelOf(id: string): string {
    return this.#tools.find((tool) => tool.id === id)?.label ?? id;
  }
}

function toolButton(tool: Tool): HTMLElement {
  return h(
    "button",
    { type: "button", id: buttonId(tool), class: "toggle", "aria-pressed": "false", click: toggle },
    tool.label,
    tool.needs === "image" && h("span", { class: "toggle-note" }, "needs an image"),
  );
}

function toggle({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLElement)
    currentTarget.setAttribute("aria-pressed", String(!isPressed(currentTarget)));
}

function isPressed(button: Element | null): boolean {
  return button?.getAttribute("aria-pressed") === "true";
}

function buttonId({ id, button }: Tool): string {
  return button ?? `${id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Btn`;
}
