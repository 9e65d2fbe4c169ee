import { ApiError, callJson } from "./api.ts";
import { type BatchOptions, bodyOfRows, bodyOfText, emptyFields } from "./batch-input.ts";
import { BatchList } from "./batch-list.ts";
import { RowEditor } from "./batch-row-editor.ts";
import { byId, h, replace } from "./dom.ts";
import { takeFiles } from "./drop-zone.ts";
import { clearFaults, showFaults } from "./field-faults.ts";
import { problemText } from "./problem-view.ts";

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const PROJECT = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The form of a new batch and the list beside it. */
export function startBatches(): void {
  const form = byId("batch-form", HTMLFormElement);
  const project = byId("batch-project", HTMLInputElement);
  const editor = new RowEditor();
  const list = new BatchList();
  let sending = false;
  let sent = { body: "", key: "" };
  project.dataset["pointer"] = "/project";
  project.value = new URLSearchParams(location.search).get("project") ?? "";
  project.addEventListener("change", () => void list.show(projectName()));
  if (PROJECT.test(projectName())) void list.show(projectName());
  form.addEventListener("change", () => {
    byId("batch-rows-panel").hidden = isText();
    byId("batch-json-panel").hidden = !isText();
  });
  takeFiles(
    { zone: byId("batch-drop"), input: byId("batch-file", HTMLInputElement), button: byId("batch-pick") },
    (files) => void readFile(files[0]),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!sending) void submit();
  });

  async function submit(): Promise<void> {
    clearFaults(form);
    if (!PROJECT.test(projectName())) {
      const detail = "Give the project a name of lower-case letters, digits, dots, hyphens or underscores.";
      return showFaults(form, "The batch was not sent", [{ pointer: "/project", detail }]);
    }
    const read = isText()
      ? bodyOfText(byId("batch-json", HTMLTextAreaElement).value, options())
      : { body: bodyOfRows(editor.rows(), options()) };
    if ("fault" in read) return showFaults(form, "The batch was not sent", [{ pointer: "", detail: read.fault }]);
    const empty = isText() ? [] : emptyFields(editor.rows());
    if (empty.length > 0) return showFaults(form, "The batch was not sent", empty);
    sending = true;
    byId("batch-status").textContent = "Sending the batch …";
    try {
      const path = `/v1/projects/${encodeURIComponent(projectName())}/batches`;
      // Sent again after an answer that got lost, the same batch is not begun twice.
      const headers = { "idempotency-key": keyOf(JSON.stringify(read.body)) };
      const { id } = await callJson<{ id: string }>(path, { method: "POST", body: read.body, headers });
      sent = { body: "", key: "" };
      location.assign(`/projects/${encodeURIComponent(projectName())}/batches/${encodeURIComponent(id)}`);
    } catch (error) {
      byId("batch-status").textContent = "";
      const faults = error instanceof ApiError ? error.faults : [];
      const shown = faults.length > 0 ? faults : [{ pointer: "", detail: problemText(error) }];
      showFaults(form, "The batch was not sent", shown);
    } finally {
      sending = false;
    }
  }

  function keyOf(text: string): string {
    // Not `randomUUID`: a deployment on one's own network may have no https.
    if (sent.body !== text) sent = { body: text, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
    return sent.key;
  }

  async function readFile(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES) {
      return showFaults(form, "The file was not read", [{ pointer: "", detail: "It is over 4 MB." }]);
    }
    byId("batch-json", HTMLTextAreaElement).value = await file.text();
    replace(byId("batch-status"), h("span", {}, `${file.name} is read.`));
  }

  function projectName(): string {
    return project.value.trim();
  }

  function isText(): boolean {
    return new FormData(form).get("source") === "json";
  }

  function options(): BatchOptions {
    const data = new FormData(form);
    return { save_candidates: data.has("save_candidates"), concurrency: Number(data.get("concurrency")) };
  }
}
