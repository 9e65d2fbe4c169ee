import sharp from "sharp";
import { ADDRESS_TRICKS } from "../../egress/address-tricks.ts";
import { ODD_FILES } from "../../upstreams/pixels/odd.ts";
import type { Answer } from "../answer-faults.ts";
import { type Ask, type Client, CutOff, jsonOf } from "../client.ts";
import { QUERIES } from "../queries.ts";
import { checkProject, newFilename, newProject, removeProject } from "./project.ts";

interface CandidatePage {
  readonly candidates: readonly { readonly filename: string }[];
  readonly next_candidate_page: number | null;
  readonly files: { readonly candidates: string; readonly review_sheet: string };
}

const ODD_NAMES = Object.keys(ODD_FILES);
const madeFiles = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** One project in which images are searched, chosen, replaced, imported and removed by turns. */
export async function imageLife(client: Client): Promise<void> {
  const { dice } = client;
  const project = newProject(client);
  const steps = dice.between(2, 6);
  for (let step = 0; step < steps; step++) {
    await dice.weighted([
      [3, choose],
      [3, acquire],
      [3, replaceFromUrl],
      [3, upload],
      [1, remove],
    ])(client, project, step);
  }
  await checkProject(client, project);
  if (dice.chance(0.6)) await removeProject(client, project);
}

type Step = (client: Client, project: string, step: number) => Promise<void>;

const acquire: Step = async (client, project, step) => {
  await search(client, project, newFilename(client, step), false);
};

/** Candidates, their sheet, a link for somebody without a key, another page, and one of them taken. */
const choose: Step = async (client, project, step) => {
  const { dice } = client;
  const filename = newFilename(client, step);
  const shown = await search(client, project, filename, true);
  if (shown.status !== 200) return;
  const page = jsonOf<CandidatePage>(shown);
  const at = `/v1/projects/${project}`;
  const sheet = await client.insist({ operationId: "getFile", path: page.files.review_sheet });
  const meta = await sharp(sheet.bytes)
    .metadata()
    .catch(() => undefined);
  client.claim(
    sheet.status === 200 && (meta?.width ?? 0) > 100,
    () => `the sheet of ${project}/${filename} is no picture: ${sheet.status}, ${sheet.bytes.byteLength} bytes`,
  );
  const file = await client.insist({ operationId: "getFile", path: page.files.candidates });
  if (file.status === 200 && dice.chance(0.3)) {
    // The file names its target, so it is imported under the same name into another project.
    const other = newProject(client);
    const path = `/v1/projects/${other}/images/${filename}/candidates`;
    await client.insist({ operationId: "importCandidates", method: "PUT", path, json: jsonOf(file) });
  }
  const image = `${at}/images/${filename}`;
  const linked = await client.insist({
    operationId: "makeReviewLink",
    method: "POST",
    path: `${image}/review-link`,
    json: {},
  });
  if (linked.status === 201 && dice.chance(0.7)) {
    return review(client, new URL(jsonOf<{ url: string }>(linked).url).pathname, page);
  }
  return promote(client, page, { operationId: "promoteCandidate", path: `${image}/promote` });
};

/** Takes one of the page's candidates, by key or by link. */
async function promote(client: Client, page: CandidatePage, ask: Ask): Promise<void> {
  const candidate = client.dice.pick(page.candidates)?.filename ?? "candidate_01.jpg";
  const promoted = await client.insist({ ...ask, method: "POST", json: { candidate, identity_confirmed: true } });
  if (promoted.status === 201) client.ledger.count("images chosen");
}

async function review(client: Client, path: string, page: CandidatePage): Promise<void> {
  const { dice } = client;
  const isAnonymous = true;
  const state = await client.insist({ operationId: "getReview", path: `${path}/state`, isAnonymous });
  if (state.status === 200) {
    const { candidates } = jsonOf<{ candidates: { picture: string }[] }>(state);
    if (candidates.length > 0) {
      const picture = new URL(dice.pick(candidates).picture, client.deployment.url).pathname;
      const opened = await client.insist({ operationId: "openLink", path: picture, isAnonymous });
      client.claim(opened.status === 200, () => `a picture of the review cannot be opened: ${opened.status}`);
    }
  }
  if (dice.chance(0.4)) {
    const json = { page: page.next_candidate_page ?? 1 };
    await client.insist({ operationId: "showReviewPage", method: "POST", path: `${path}/page`, json, isAnonymous });
  }
  if (dice.chance(0.2)) {
    const json = { url: `https://odd.example/${dice.pick(ODD_NAMES)}`, min_width: 1, min_height: 1 };
    await client.insist({
      operationId: "replaceReviewedFromUrl",
      method: "PUT",
      path: `${path}/from-url`,
      json,
      isAnonymous,
    });
    client.ledger.count("hostile images");
  }
  return promote(client, page, { operationId: "promoteReviewed", path: `${path}/promote`, isAnonymous });
}

/** A picture of a kind that nobody would send, from its address, or an address that leads inside. */
const replaceFromUrl: Step = async (client, project, step) => {
  const { dice } = client;
  const isInside = dice.chance(0.4);
  client.ledger.count(isInside ? "addresses inside" : "hostile images");
  const url = isInside ? dice.pick(ADDRESS_TRICKS) : `https://odd.example/${dice.pick([...ODD_NAMES, "endless.jpg"])}`;
  const answer = await client.insist({
    operationId: "replaceFromUrl",
    method: "PUT",
    path: `/v1/projects/${project}/images/${newFilename(client, step)}/from-url`,
    json: { url, min_width: 1, min_height: 1 },
  });
  client.claim(!isInside || answer.status >= 400, () => `${url} was taken: ${answer.status}`);
};

/** The same as bytes, often cut or with some of them changed. */
const upload: Step = async (client, project, step) => {
  const { dice } = client;
  client.ledger.count("hostile images");
  const filename = newFilename(client, step);
  const body = spoiled(client, await madeFile(dice.pick(ODD_NAMES)));
  const source = encodeURIComponent("https://example.org/page");
  const sending = client.insist({
    operationId: "uploadImage",
    method: "PUT",
    path: `/v1/projects/${project}/images/${filename}/upload?source_page_url=${source}&min_width=1&min_height=1`,
    headers: [["content-type", "image/jpeg"]],
    body,
  });
  await sending.catch((error: unknown) => {
    if (!(error instanceof CutOff)) throw error;
  });
};

const remove: Step = async (client, project, step) => {
  const path = `/v1/projects/${project}/images/${newFilename(client, Math.max(0, step - 1))}`;
  await client.insist({ operationId: "removeImage", method: "DELETE", path });
  const gone = await client.insist({ operationId: "getImage", path });
  client.claim(gone.status === 404, () => `${path} was removed and is ${gone.status}`);
};

function search(client: Client, project: string, filename: string, isShortlist: boolean): Promise<Answer> {
  const { dice } = client;
  return client.insist({
    operationId: "acquireImage",
    method: "POST",
    path: `/v1/projects/${project}/images`,
    json: {
      filename,
      query: dice.pick(QUERIES),
      save_candidates: isShortlist,
      ...(dice.chance(0.3) ? { provider: dice.pick(["wikimedia", "openverse", "pexels", "pixabay"]) } : {}),
      ...(dice.chance(0.2) ? { required_terms: [dice.pick(["Nagasaki|長崎", "alpine", "cat"])] } : {}),
    },
  });
}

function madeFile(name: string): Promise<Uint8Array<ArrayBuffer>> {
  let made = madeFiles.get(name);
  if (made === undefined) {
    made = Promise.resolve(ODD_FILES[name]!.make()).then((bytes) => new Uint8Array(bytes));
    madeFiles.set(name, made);
  }
  return made;
}

function spoiled({ dice }: Client, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes.byteLength < 100 || dice.chance(0.4)) return bytes;
  if (dice.chance(0.5)) return bytes.slice(0, dice.between(0, bytes.byteLength));
  const changed = bytes.slice();
  for (let each = 0; each < 20; each++)
    changed[dice.between(0, Math.min(changed.length, 4_000))] = dice.between(0, 256);
  return changed;
}
