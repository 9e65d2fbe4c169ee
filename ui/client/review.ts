import { callJson, type CallOptions } from "./api.ts";
import { announce, byId, replace } from "./dom.ts";
import { problemNotice } from "./problem-view.ts";
import { openHelp, startManualDialog } from "./review-dialogs.ts";
import { startKeys } from "./review-key-listener.ts";
import type { ReviewCommand } from "./review-keys.ts";
import { byDigit, type Candidate, isNearMatch, type ReviewState } from "./review-model.ts";
import { ReviewView } from "./review-view.ts";

/** The page behind a signed link: what may be done is what the link grants, and no key is asked for. */
export function startReview(): void {
  const base = `/review/${encodeURIComponent(byId("review").dataset["token"]!)}`;
  const send = <T>(path: string, options: CallOptions) => callJson<T>(base + path, { ...options, keyless: true });
  const view = new ReviewView({ choose, promote, nextPage, openManual, openHelp });
  let state: ReviewState | undefined;
  let chosen: string | undefined;
  let busy = false;
  const openManualDialog = startManualDialog(async (url) => {
    await send("/from-url", { method: "PUT", body: { url } });
    await load();
    tell("Your picture is in place.");
  });
  startKeys(act);
  void reload();

  async function load(): Promise<void> {
    take(await send<ReviewState>("/state", {}));
  }

  async function reload(): Promise<void> {
    await load().catch(fail);
  }

  function take(next: ReviewState): void {
    state = next;
    const shown = next.candidates.filter(({ on_page: onPage }) => onPage);
    if (!shown.some(({ file }) => file === chosen)) chosen = undefined;
    byId("review-problem").replaceChildren();
    view.show(next, chosen);
  }

  function act(command: ReviewCommand): void {
    switch (command.kind) {
      case "choose": {
        const candidate = byDigit(state?.candidates ?? [], command.digit);
        if (candidate !== undefined) choose(candidate, true);
        break;
      }
      case "promote":
        void promote();
        break;
      case "next":
        void nextPage();
        break;
      case "manual":
        openManual();
        break;
      case "help":
        openHelp();
    }
  }

  function choose(candidate: Candidate, byKey: boolean): void {
    chosen = candidate.file;
    if (state === undefined) return;
    view.choose(state, candidate, byKey);
  }

  async function promote(): Promise<void> {
    const candidate = state?.candidates.find(({ file }) => file === chosen);
    if (candidate === undefined) return tell("Choose a candidate first: 1 to 8, or click one.");
    if (!allows("promote")) return tell("This link lets you look only.");
    const needsLook = isNearMatch(candidate);
    if (needsLook && !view.isConfirmed()) return view.askToConfirm();
    await during("Fetching the original …", async () => {
      const body = { candidate: candidate.file, identity_confirmed: needsLook };
      await send("/promote", { method: "POST", body });
      await load();
      tell(`Candidate ${candidate.rank} is in place.`);
    });
  }

  async function nextPage(): Promise<void> {
    if (!allows("page")) return tell("This link shows this page only.");
    const next = state?.page?.next;
    if (typeof next !== "number") return tell("There is no further page.");
    await showPage(next);
  }

  async function showPage(page: number): Promise<void> {
    await during(`Loading page ${page} …`, async () => {
      take(await send<ReviewState>("/page", { method: "POST", body: { page } }));
      tell(`Page ${page} of the candidates.`);
      view.toCandidates();
    });
  }

  function openManual(): void {
    if (allows("manual")) openManualDialog();
    else tell("This link does not let you give a picture of your own.");
  }

  function allows(action: string): boolean {
    return state?.actions.includes(action) === true;
  }

  async function during(words: string, work: () => Promise<void>): Promise<void> {
    if (busy) return;
    busy = true;
    tell(words);
    view.setBusy(true);
    await work().catch(fail);
    busy = false;
    view.setBusy(false);
  }

  function fail(error: unknown): void {
    tell(state === undefined ? "The candidates could not be loaded." : "Nothing was changed.");
    announce("");
    replace(
      byId("review-problem"),
      problemNotice(error, () => void reload()),
    );
  }
}

function tell(words: string): void {
  byId("review-status").textContent = words;
}
