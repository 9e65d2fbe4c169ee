import { describe, expect, it } from "vitest";
import { signLink } from "../../src/storage/signed-link.ts";
import { type Batch, item, Project as BatchProject, row } from "./batch-project.ts";
import { type Problem, Project } from "./candidate-project.ts";
import type { Gateway } from "./gateway.ts";

interface Candidate {
  file: string;
  rank: number;
  on_page: boolean;
  picture: string;
  why: string[];
  selected: boolean;
  missing_required_terms: string[];
  source_page_url: string;
}

interface State {
  project: string;
  filename: string;
  actions: string[];
  expires_at: string;
  intent: Record<string, unknown>;
  row: { status: string; running: boolean; batch: string; last_error?: string } | null;
  image: { picture: string; license_tier: string; credit: string; width: number } | null;
  page: { number: number; size: number; total: number; has_more: boolean; next: number | null } | null;
  candidates: Candidate[];
}

const SIGNING_SECRET = "test-signing-secret-guards-nothing-real";
const PICTURE = "https://historypictures.example/french-alpine-landscape-by-early-photographers.jpg";

/** A review as somebody without a key sees it. */
class Review {
  readonly gateway: Gateway;
  readonly path: string;

  constructor(url: string, gateway: Gateway) {
    this.path = new URL(url).pathname;
    this.gateway = gateway;
  }

  async state(): Promise<State> {
    const response = await this.gateway.fetch(`${this.path}/state`);
    expect(response.status).toBe(200);
    return response.json<State>();
  }

  post(what: string, body: unknown): Promise<Response> {
    return this.gateway.post(`${this.path}/${what}`, body);
  }

  put(body: unknown): Promise<Response> {
    const init = { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return this.gateway.fetch(`${this.path}/from-url`, init);
  }
}

async function linked(
  { gateway, path }: { gateway: Gateway; path: string },
  filename: string,
  body: unknown = {},
): Promise<Review> {
  const response = await gateway.post(`${path}/images/${filename}/review-link`, body);
  expect(response.status).toBe(201);
  const { url } = await response.json<{ url: string }>();
  return new Review(url, gateway);
}

async function code(response: Response): Promise<[number, string]> {
  return [response.status, (await response.json<Problem>()).code];
}

describe("a review link", () => {
  it("shows a row's candidates, promotes one of them, and then shows the image", async () => {
    const project = new Project();
    await project.page({ purpose: "cover", max_candidates: 4 });
    const made = await project.gateway.post(`${project.path}/images/alps.jpg/review-link`, {
      actions: ["promote"],
      expires_in_seconds: 3_600,
    });
    const link = await made.json<{ url: string; expires_at: string; actions: string[] }>();
    expect([made.status, link.actions]).toEqual([201, ["read", "promote"]]);
    expect(link.url).toMatch(/^https:\/\/sluice\.test\/review\/[\w.-]+$/);
    const review = new Review(link.url, project.gateway);
    const state = await review.state();
    expect(state).toMatchObject({
      filename: "alps.jpg",
      actions: ["read", "promote"],
      expires_at: link.expires_at,
      intent: { query: "french alpine landscape", purpose: "cover", orientation: "any", min_width: null },
      row: null,
      image: null,
      page: { number: 1, size: 4, has_more: true, next: 2 },
    });
    expect(state.candidates.map(({ rank, on_page }) => [rank, on_page])).toEqual([1, 2, 3, 4].map((n) => [n, true]));
    for (const { why, picture } of state.candidates) {
      expect(why.length).toBeGreaterThan(1);
      const shown = await project.gateway.fetch(picture);
      expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
      await shown.body?.cancel();
    }
    const promoted = await review.post("promote", { candidate: "candidate_02.jpg" });
    expect(promoted.status).toBe(201);
    const after = await review.state();
    expect(after.image?.width).toBeGreaterThan(0);
    expect((await project.gateway.fetch(after.image!.picture)).status).toBe(200);
    expect(after.candidates.filter(({ selected }) => selected).map(({ file }) => file)).toEqual(["candidate_02.jpg"]);
    expect((await project.manifest()).map(({ status }) => status)).toEqual(["promoted"]);
  });

  it("marks near matches and asks for a look before one is promoted", async () => {
    const project = new Project();
    await project.page({ required_terms: ["Atlantis"] });
    const review = await linked(project, "alps.jpg");
    const { candidates, intent } = await review.state();
    expect(intent["required_terms"]).toEqual(["Atlantis"]);
    expect(candidates[0]).toMatchObject({ missing_required_terms: ["Atlantis"] });
    expect(candidates[0]!.why[0]).toBe("Near match: nothing says that it shows Atlantis");
    const { file: candidate } = candidates[0]!;
    expect(await code(await review.post("promote", { candidate }))).toEqual([409, "identity-unconfirmed"]);
    expect((await review.post("promote", { candidate, identity_confirmed: true })).status).toBe(201);
  });

  it("does what it allows and nothing else", async () => {
    const project = new Project();
    await project.page();
    const review = await linked(project, "alps.jpg", { actions: [] });
    for (const refused of [
      await review.post("promote", { candidate: "candidate_01.jpg" }),
      await review.post("page", { page: 2 }),
      await review.put({ url: PICTURE }),
    ]) {
      const problem = await refused.json<Problem>();
      expect([refused.status, problem.code]).toEqual([403, "forbidden"]);
      expect(problem.detail).toMatch(/^The link does not allow the action `(promote|page|manual)`\.$/);
    }
    expect((await review.state()).image).toBeNull();
  });

  it("is made only for what is there, and only where links can be signed", async () => {
    const project = new Project();
    const path = `${project.path}/images/none.jpg/review-link`;
    expect(await code(await project.gateway.post(path, {}))).toEqual([404, "not-found"]);
    for (const [variables, named] of [
      [{ PUBLIC_URL: "" }, "PUBLIC_URL"],
      [{ SIGNING_SECRET: "" }, "SIGNING_SECRET"],
    ] as const) {
      const unset = new Project(variables);
      await unset.page();
      const answer = await unset.gateway.post(`${unset.path}/images/alps.jpg/review-link`, {});
      const problem = await answer.json<Problem>();
      expect([answer.status, problem.code]).toEqual([503, "misconfigured"]);
      expect(problem.detail).toContain(named);
    }
    const bad = await project.gateway.post(path, { expires_in_seconds: 59 });
    expect(await code(bad)).toEqual([400, "invalid-request"]);
  });

  it("takes a picture by its URL where it may", async () => {
    const project = new Project();
    const page = await project.page();
    const review = await linked(project, "alps.jpg");
    const put = await review.put({ url: page.candidates[0]!.download_url, min_width: 10, min_height: 10 });
    expect(put.status).toBe(201);
    expect((await review.state()).image).toMatchObject({ license_tier: "manual", credit: "" });
    expect((await review.state()).candidates.some(({ selected }) => selected)).toBe(false);
  });
});

describe("whose link it is", () => {
  const at = Math.floor(Date.now() / 1000) + 3_600;
  const link = (tenant: string, resource: string, expires = at, secret = SIGNING_SECRET) =>
    signLink({ tenant, resource, actions: ["read", "promote", "page", "manual"], expires }, secret);

  it("decides: another tenant's, an expired, a forged one and one to something else open nothing", async () => {
    const project = new Project();
    await project.page();
    const name = project.path.split("/").at(-1)!;
    const state = async (token: string) => project.gateway.fetch(`/review/${token}/state`);
    expect((await state(await link("local", `review/${name}/alps.jpg`))).status).toBe(200);
    expect(await code(await state(await link("other", `review/${name}/alps.jpg`)))).toEqual([404, "not-found"]);
    expect(await code(await state(await link("local", `review/${name}/other.jpg`)))).toEqual([404, "not-found"]);
    const another = "another-signing-secret-that-is-not-ours";
    for (const token of [
      await link("local", `review/${name}/alps.jpg`, 1),
      await link("local", `review/${name}/alps.jpg`, at, another),
      await link("local", `archive/${name}`),
      await link("local", `tenants/local/objects/${"0".repeat(64)}`),
      "nonsense",
    ]) {
      expect(await code(await state(token))).toEqual([403, "link-invalid"]);
    }
    const review = await link("local", `review/${name}/alps.jpg`);
    expect(await code(await project.gateway.fetch(`/s/${review}/x.jpg`))).toEqual([403, "link-invalid"]);
  });

  it("is limited by itself, whoever uses it", async () => {
    const project = new Project();
    await project.page();
    const review = await linked(project, "alps.jpg");
    const other = await linked(project, "alps.jpg", { expires_in_seconds: 600 });
    const statuses = new Set<number>();
    for (let n = 0; n < 14; n++) statuses.add((await review.post("page", { page: 90 })).status);
    expect([...statuses]).toEqual([409, 429]);
    expect((await review.state()).filename).toBe("alps.jpg");
    expect((await other.post("page", { page: 90 })).status).toBe(409);
  });
});

describe("a page that is asked for by a link", () => {
  it("is cut from the pool that is there, however old, and asks no provider", async () => {
    const project = new Project();
    // A search that one provider did not answer is made again by whoever asks for its first page with a key.
    await project.gateway.fault("openverse", { class: "transient" });
    await project.page({ max_candidates: 4 });
    const review = await linked(project, "alps.jpg");
    const asked = async () =>
      (await project.gateway.calls()).requests.filter(({ path }) => /api|search/.test(path)).map(({ host }) => host);
    const before = await asked();
    expect(before.length).toBeGreaterThan(2);
    const second = await review.post("page", { page: 2 });
    expect(second.status).toBe(200);
    const state = await second.json<State>();
    expect(state.page).toMatchObject({ number: 2, size: 4 });
    expect(state.candidates.map(({ on_page }) => on_page).slice(0, 5)).toEqual([false, false, false, false, true]);
    const back = await (await review.post("page", { page: 1 })).json<State>();
    expect(back.page?.number).toBe(1);
    expect(back.candidates.length).toBe(state.candidates.length);
    expect(await asked()).toEqual(before);
    expect(await code(await review.post("page", { page: 90 }))).toEqual([409, "pool-exhausted"]);
  });

  it("puts the row of the batch where a run of that page would have", async () => {
    const run = await reviewedBatch({ max_candidates: 4 });
    const { project, batch, review } = run;
    expect(await review.state()).toMatchObject({
      row: { status: "Needs-Selection", running: false, batch: batch.id },
      intent: { slide: "7", reference: { page: "p. 12" } },
    });
    expect((await review.post("page", { page: 2 })).status).toBe(200);
    const byLink = item(await project.get(batch.url), "alps.jpg");
    expect(byLink).toMatchObject({ status: "Needs-Selection", candidate_page: 2, candidate_count: 4 });

    await project.gateway.fetch(`${batch.url}/rows/alps.jpg`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ candidate_page: 2 }),
    });
    await project.gateway.fetch(`${batch.url}/run`, { method: "POST" });
    expect(item(await project.ended(batch.url), "alps.jpg")).toEqual(byLink);
    const events = await (await project.gateway.fetch(`${batch.url}/events`)).text();
    expect(events).toContain('"status":"Needs-Selection","previous_status":"Needs-Selection"');
  });

  it("leaves a row alone whose request has changed since", async () => {
    const { project, batch, review } = await reviewedBatch({ max_candidates: 4 });
    await project.gateway.fetch(`${batch.url}/rows/alps.jpg`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "swiss alpine landscape" }),
    });
    expect((await review.post("page", { page: 2 })).status).toBe(200);
    expect(item(await project.get(batch.url), "alps.jpg").status).toBe("Pending");
  });

  it("is followed by a choice, which ends the row", async () => {
    const { project, batch, review } = await reviewedBatch({});
    expect((await review.post("promote", { candidate: "candidate_01.jpg" })).status).toBe(201);
    expect(item(await project.get(batch.url), "alps.jpg").status).toBe("Sourced");
    expect((await review.state()).row?.status).toBe("Sourced");
  });
});

describe("a row whose picture a person has stored already", () => {
  it.each([false, true])("ends Sourced with that picture (save_candidates: %s)", async (saves) => {
    const project = new BatchProject();
    const first = await project.run({ items: [row("alps.jpg", "french alpine landscape")] });
    expect(first.counts["Sourced"]).toBe(1);
    const items = (await (await project.gateway.fetch(`${project.path}/files/image_sources.json`)).json()) as {
      items: { download_url: string }[];
    };
    const put = await project.gateway.fetch(`${project.path}/images/own.jpg/from-url`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: items.items[0]!.download_url, min_width: 10, min_height: 10 }),
    });
    expect(put.status).toBe(201);
    const batch = await project.run({
      items: [row("own.jpg", "french alpine landscape")],
      options: { save_candidates: saves },
    });
    expect(item(batch, "own.jpg")).toMatchObject({ status: "Sourced", sourced_from: "manual", license_tier: "manual" });
    expect(item(batch, "own.jpg").last_error).toBeUndefined();
  });
});

/** A batch of one row that waits for a selection, and a link to it. */
async function reviewedBatch(
  options: Record<string, unknown>,
): Promise<{ project: BatchProject; batch: Batch; review: Review }> {
  const project = new BatchProject();
  const alps = row("alps.jpg", "french alpine landscape", { slide: "7", reference: { page: "p. 12" } });
  const batch = await project.run({ items: [alps], options: { save_candidates: true, ...options } });
  return { project, batch, review: await linked(project, "alps.jpg") };
}
