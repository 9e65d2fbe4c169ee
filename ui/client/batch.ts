import { ApiError, call, callJson } from "./api.ts";
import { type Batch, COUNT_WORDS, progressOf, STATUS_TONE, STATUSES } from "./batch-model.ts";
import { BatchRows } from "./batch-rows.ts";
import { announce, byId, h, replace } from "./dom.ts";
import { ownPath } from "./links.ts";
import { problemNotice } from "./problem-view.ts";
import { watchEvents } from "./sse.ts";

/** Several events come together; they are one look at the batch. */
const REFRESH_MS = 250;
/** Rows begin without an event. */
const RUNNING_REFRESH_MS = 1_500;

const STATE_WORDS = { running: "Running", idle: "At rest", cancelled: "Cancelled" } as const;

/** The live page of one batch: what the events tell is looked up, so that what stands here is what is. */
export function startBatch(): void {
  const root = byId("batch");
  const project = root.dataset["project"]!;
  const base = `/v1/projects/${encodeURIComponent(project)}/batches/${encodeURIComponent(root.dataset["batch"]!)}`;
  const rows = new BatchRows(project, base, { changed: refresh, failed: showProblem });
  let state: Batch["state"] | undefined;
  let watching = false;
  let lastEventId: string | undefined;
  let refreshing: Promise<void> | undefined;
  let again = false;

  wire("batch-run", async () => {
    await call(`${base}/run`, { method: "POST" });
    await refresh();
  });
  wire("batch-cancel", async () => {
    await call(base, { method: "DELETE" });
    await refresh();
  });
  wire("batch-zip", async () => {
    const link = await callJson<{ url: string }>(`/v1/projects/${encodeURIComponent(project)}/archive-link`, {
      method: "POST",
      body: {},
    });
    h("a", { href: ownPath(link.url), download: `${project}.zip` }).click();
  });
  // A choice made on the review page is told to nobody once the batch is at rest.
  addEventListener("focus", () => void refresh());
  void refresh();

  async function refresh(): Promise<void> {
    if (refreshing !== undefined) {
      again = true;
      return refreshing;
    }
    refreshing = load().catch(showProblem);
    await refreshing;
    refreshing = undefined;
    if (!again) return;
    again = false;
    await refresh();
  }

  async function load(): Promise<void> {
    const first = await callJson<Batch>(base);
    const all = [...first.rows];
    for (let next = first.next; next !== null;) {
      const page = await callJson<Batch>(`${base}?after=${next}`);
      all.push(...page.rows);
      next = page.next;
    }
    byId("batch-problem").replaceChildren();
    show(first);
    rows.show(all, first.state !== "cancelled");
    if (first.state === "running" && !watching) void watch();
  }

  function show(batch: Batch): void {
    const { total, ended, words } = progressOf(batch.counts);
    const bar = byId("batch-progress", HTMLProgressElement);
    bar.max = Math.max(total, 1);
    bar.value = ended;
    byId("batch-progress-text").textContent = words;
    replace(
      byId("batch-counts"),
      STATUSES.filter((status) => batch.counts[status] > 0).map((status) =>
        h(
          "li",
          { class: `count ${STATUS_TONE[status]}` },
          h("strong", {}, batch.counts[status]),
          ` ${COUNT_WORDS[status]}`,
        ),
      ),
    );
    if (state === "running" && batch.state !== "running")
      announce(`The batch is ${STATE_WORDS[batch.state]}: ${words}.`);
    state = batch.state;
    byId("batch-state").textContent = STATE_WORDS[batch.state];
    const left = batch.counts.Pending + batch.counts.Failed;
    byId("batch-run", HTMLButtonElement).disabled = batch.state !== "idle" || left === 0;
    byId("batch-cancel", HTMLButtonElement).disabled = batch.state !== "running";
    byId("batch-zip", HTMLButtonElement).disabled = batch.counts.Sourced === 0;
  }

  async function watch(): Promise<void> {
    watching = true;
    const gone = new AbortController();
    let due: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      due ??= setTimeout(() => {
        due = undefined;
        void refresh();
      }, REFRESH_MS);
    };
    const beat = setInterval(soon, RUNNING_REFRESH_MS);
    try {
      lastEventId = await watchEvents(
        {
          open: (last) => openEvents(`${base}/events`, last, gone.signal),
          onEvent: soon,
          isLast: ({ event }) => event === "done",
          onConnection: (connected) => {
            byId("batch-state").textContent = connected
              ? STATE_WORDS[state ?? "running"]
              : "The connection is lost, trying again …";
          },
          isTransient: (error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500,
          wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
          signal: gone.signal,
        },
        lastEventId,
      );
    } catch (error) {
      showProblem(error);
    } finally {
      clearInterval(beat);
      watching = false;
      await refresh();
    }
  }

  function showProblem(error: unknown): void {
    if (state === undefined) byId("batch-state").textContent = "The batch could not be loaded.";
    replace(
      byId("batch-problem"),
      problemNotice(error, () => void refresh()),
    );
  }

  function wire(id: string, act: () => Promise<void>): void {
    const button = byId(id, HTMLButtonElement);
    button.addEventListener("click", async () => {
      button.setAttribute("aria-busy", "true");
      await act().catch(showProblem);
      button.removeAttribute("aria-busy");
    });
  }
}

async function openEvents(
  path: string,
  last: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
  const { body } = await call(path, { headers, signal, limitMs: 0 });
  if (body === null) throw new TypeError("The stream has no body.");
  return body;
}
