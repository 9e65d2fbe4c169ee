import { callJson } from "./api.ts";
import { byId, h, replace } from "./dom.ts";
import { webUrl } from "./links.ts";
import { outLink } from "./markdown-view.ts";
import { problemNotice } from "./problem-view.ts";

type Status = "ready" | "suspended" | "unconfigured" | "ended";

interface Provider {
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  readonly offers: readonly string[];
  readonly status: Status;
  readonly needs: readonly (readonly string[])[];
  readonly accounts: readonly { name: string; suspended_until: string | null; reason: string | null }[];
  readonly sunset: string | null;
}

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  ready: "Ready",
  suspended: "Suspended",
  unconfigured: "Not set up",
  ended: "Ended",
};
const STATUS_TONE: Readonly<Record<Status, string>> = {
  ready: "good",
  suspended: "warn",
  unconfigured: "plain",
  ended: "plain",
};
const ORDER: readonly Status[] = ["ready", "suspended", "unconfigured", "ended"];

const OFFER_WORDS: Readonly<Record<string, string>> = {
  web: "web",
  images: "images",
  licensed_images: "cleared images",
  reverse_images: "search by image",
  repositories: "repositories",
  answers: "answers",
};

/** Who can be asked now, and what the others lack. */
export async function startProviders(): Promise<void> {
  const summary = byId("providers-summary");
  const list = byId("providers");
  try {
    const { providers } = await callJson<{ providers: Provider[] }>("/v1/providers");
    const ready = providers.filter(({ status }) => status === "ready").length;
    summary.textContent = `${ready} of ${providers.length} are ready.`;
    const sorted = providers.toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status));
    replace(list, sorted.map(providerItem));
  } catch (error) {
    summary.textContent = "The providers could not be listed.";
    replace(
      list,
      h(
        "li",
        {},
        problemNotice(error, () => void startProviders()),
      ),
    );
  }
}

function providerItem(provider: Provider): HTMLElement {
  const homepage = webUrl(provider.homepage);
  return h(
    "li",
    { class: "card provider" },
    h(
      "div",
      { class: "provider-head" },
      h("h3", {}, homepage === undefined ? provider.name : outLink(homepage, provider.name)),
      h("span", { class: `badge ${STATUS_TONE[provider.status]}` }, STATUS_WORDS[provider.status]),
    ),
    h(
      "p",
      { class: "muted" },
      provider.offers.map((offer) => OFFER_WORDS[offer] ?? offer).join(", ") || "helps others",
    ),
    detailsOf(provider).map((line) => h("p", { class: "detail" }, line)),
  );
}

function detailsOf({ status, needs, accounts, sunset }: Provider): (string | Node[])[] {
  const lines: (string | Node[])[] = [];
  if (status === "unconfigured") {
    const sets = needs.map((set) => set.join(" and ")).filter((set) => set !== "");
    lines.push(`Needs ${sets.join(", or ")}`);
  }
  for (const { name, suspended_until: until, reason } of accounts) {
    if (until !== null) lines.push(`${name}: until ${timeWords(until)}${reason === null ? "" : `, ${reason}`}`);
  }
  if (sunset !== null) lines.push(status === "ended" ? `Not called since ${sunset}` : `Not called from ${sunset} on`);
  return lines;
}

function timeWords(iso: string): string {
  return new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
