import { createHash } from "node:crypto";
import { unzipSync } from "fflate";
import { type Client, jsonOf } from "../client.ts";

interface StoredImage {
  readonly item: { readonly filename: string };
  readonly sha256: string;
  readonly bytes: number;
}

/** A project that nobody has named before. */
export function newProject({ dice, tenant }: Client): string {
  const project = `p${dice.between(0, 2 ** 31).toString(36)}`;
  tenant.projects.add(project);
  return project;
}

/** Names of files bear their tenant's mark. */
export function newFilename({ dice, tenant }: Client, index: number): string {
  const extension = dice.pick(["jpg", "jpg", "png"]);
  return `${tenant.mark}-${String(index).padStart(2, "0")}.${extension}`;
}

/**
 * Looks at everything that a project says it has: each image is there with the bytes that its record names, and stands
 * once in the manifest and in the archive; nothing else does. Returns the names.
 */
export async function checkProject(client: Client, project: string): Promise<string[]> {
  const at = `/v1/projects/${project}`;
  const images = await allImages(client, project);
  const names = images.map(({ item }) => item.filename);
  client.claim(new Set(names).size === names.length, () => `${project} lists an image twice: ${names.join()}`);
  for (const { item, sha256, bytes } of images) {
    const path = `${at}/files/images/${item.filename}`;
    const file = await client.insist({ operationId: "getFile", path });
    client.claim(
      file.status === 200 && file.bytes.byteLength === bytes && digest(file.bytes) === sha256,
      () => `${path} is ${file.status} with ${file.bytes.byteLength} of ${bytes} bytes`,
    );
  }
  const manifest = await client.insist({ operationId: "getFile", path: `${at}/files/image_sources.json` });
  if (manifest.status === 200) {
    const { items } = jsonOf<{ items: { filename: string }[] }>(manifest);
    claimSame(
      client,
      `${project}'s manifest`,
      items.map(({ filename }) => filename),
      names,
    );
  } else client.claim(names.length === 0, () => `${project} has images and its manifest is ${manifest.status}`);
  await checkArchive(client, project, images);
  return names;
}

async function checkArchive(client: Client, project: string, images: readonly StoredImage[]): Promise<void> {
  const archive = await client.insist({ operationId: "getArchive", path: `/v1/projects/${project}/archive.zip` });
  if (archive.status !== 200) {
    return client.claim(images.length === 0, () => `${project} has images and its archive is ${archive.status}`);
  }
  await checkArchiveLink(client, project);
  const files = unzipSync(archive.bytes);
  const inside = Object.keys(files).filter((name) => name.startsWith("images/"));
  claimSame(
    client,
    `${project}'s archive`,
    inside,
    images.map(({ item }) => `images/${item.filename}`),
  );
  for (const { item, sha256 } of images) {
    const file = files[`images/${item.filename}`];
    client.claim(file !== undefined && digest(file) === sha256, () => `${item.filename} differs in the archive`);
  }
}

/** Whoever has the link needs no key. It lasts for ten minutes. */
async function checkArchiveLink(client: Client, project: string): Promise<void> {
  const path = `/v1/projects/${project}/archive-link`;
  const linked = await client.insist({ operationId: "makeArchiveLink", method: "POST", path });
  if (linked.status !== 201) return client.violation(`${project} gets no link of its archive: ${linked.status}`);
  const { pathname } = new URL(jsonOf<{ url: string }>(linked).url);
  const opened = await client.insist({ operationId: "openArchive", path: pathname, isAnonymous: true });
  client.claim(opened.status === 200, () => `the link of ${project}'s archive opens nothing: ${opened.status}`);
}

/** All pages of them. */
async function allImages(client: Client, project: string): Promise<StoredImage[]> {
  const all: StoredImage[] = [];
  for (let after: number | null = 0; after !== null;) {
    const answer = await client.insist({
      operationId: "listImages",
      path: `/v1/projects/${project}/images?after=${after}`,
    });
    if (answer.status !== 200) {
      client.violation(`the images of ${project} cannot be listed: ${answer.status} ${answer.text.slice(0, 300)}`);
      return all;
    }
    const page = jsonOf<{ images: StoredImage[]; next: number | null }>(answer);
    all.push(...page.images);
    after = page.next;
  }
  return all;
}

export function claimSame(client: Client, what: string, found: readonly string[], wanted: readonly string[]): void {
  const [ours, theirs] = [found.toSorted(), wanted.toSorted()];
  client.claim(
    JSON.stringify(ours) === JSON.stringify(theirs),
    () => `${what} has ${ours.join()}, not ${theirs.join()}`,
  );
}

/** Forgets the project, and looks whether it is gone. */
export async function removeProject(client: Client, project: string): Promise<void> {
  const path = `/v1/projects/${project}`;
  const removed = await client.insist({ operationId: "removeProject", method: "DELETE", path });
  // A try that was cut off may have done it.
  client.claim([204, 404].includes(removed.status), () => `${path} cannot be removed: ${removed.status}`);
  const names = (await allImages(client, project)).map(({ item }) => item.filename);
  client.claim(names.length === 0, () => `${project} was removed and still has ${names.join()}`);
  client.tenant.projects.delete(project);
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
