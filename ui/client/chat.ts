import { ApiError, call } from "./api.ts";
import type { Attempt } from "./attempts-view.ts";
import { ChatImages } from "./chat-images.ts";
import { ChatTools } from "./chat-tools.ts";
import { ChatTurn } from "./chat-turn.ts";
import { announce, byId, h } from "./dom.ts";
import { problemNotice } from "./problem-view.ts";
import { readEvents } from "./sse.ts";

interface Said {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** The chat: what was said before goes with each message, and nothing is kept once the page is left. */
export function startChat(): void {
  const form = byId("chat-form", HTMLFormElement);
  const message = byId("chat-message", HTMLTextAreaElement);
  const images = new ChatImages(showProblem);
  const tools = new ChatTools();
  const history: Said[] = [];
  let running: AbortController | undefined;
  void tools.load();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (running === undefined) void send();
  });
  byId("chat-stop").addEventListener("click", () => running?.abort());
  message.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });

  async function send(): Promise<void> {
    showProblem(undefined);
    const text = message.value.trim();
    if (text === "") return showProblem("Write a message first.");
    const attached = images.dataUrls();
    const lacking = attached.length === 0 ? tools.needingImage() : [];
    if (lacking.length > 0) return showProblem(`${lacking.join(" and ")}: attach an image, or switch it off.`);
    const search = byId("chat-search", HTMLSelectElement).value;
    const body = { message: text, language: "en", search, tools: tools.chosen(), images: attached, history };
    running = new AbortController();
    setRunning(true);
    byId("chat-empty").hidden = true;
    const turn = new ChatTurn(text, attached, (tool) => tools.labelOf(tool));
    message.value = "";
    images.clear();
    try {
      await stream(body, turn, running.signal);
      announce("The answer is complete.");
    } catch (error) {
      const stopped = running.signal.aborted;
      turn.fail(stopped ? h("p", { class: "muted" }, "Stopped.") : problemNotice(error));
    }
    history.push({ role: "user", content: text });
    if (turn.text !== "") history.push({ role: "assistant", content: turn.text });
    running = undefined;
    setRunning(false);
    message.focus();
  }
}

function setRunning(isRunning: boolean): void {
  byId("chat-stop").hidden = !isRunning;
  byId("chat-send").hidden = isRunning;
}

function showProblem(text: string | undefined): void {
  const problem = byId("chat-problem");
  problem.hidden = text === undefined;
  problem.textContent = text ?? "";
}

/** Sends one message and tells the turn what comes of it. Throws when the answer does not come whole. */
async function stream(body: unknown, turn: ChatTurn, signal: AbortSignal): Promise<void> {
  const response = await call("/chat/stream", { method: "POST", body, signal, limitMs: 0 });
  if (response.body === null) throw new TypeError("The stream has no body.");
  for await (const { event, data } of readEvents(response.body)) {
    const fields = JSON.parse(data) as Record<string, unknown>;
    const tool = String(fields["tool"]);
    switch (event) {
      case "search.start":
        turn.searchStarted(tool, String(fields["query"]));
        break;
      case "search.attempt":
        turn.attempted(tool, fields as unknown as Attempt);
        break;
      case "search.result":
        turn.searchEnded(tool, String(fields["outcome"]), fields["results"] as unknown[]);
        break;
      case "chunk":
        turn.grow(String(fields["content"]));
        break;
      case "complete":
        turn.end(String(fields["response"]));
        return;
      case "error":
        throw new ApiError(200, { title: "The answer broke off", detail: fields["error"] });
    }
  }
  throw new ApiError(0, { title: "The answer broke off", detail: "The connection ended before the answer did." });
}
