import { imageSchema } from "../answers.ts";
import type { Directory } from "../directory.ts";
import { isProblem } from "../failure.ts";
import type { Project } from "../project.ts";

/**
 * Asks the service for something about a filename. Where the service refuses because of an image or of candidates that
 * the folder no longer has, it is made to forget them, and asked again: the folder is the truth.
 */
export async function withoutStale<T>(
  filename: string,
  project: Project,
  directory: Directory,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isProblem(error, "manual-image-kept", "filename-conflict", "stem-conflict")) throw error;
    const { existing } = error.problem;
    if (typeof existing !== "string" || (await stands(existing, filename, directory))) throw error;
    await forget(existing, project);
    return ask();
  }
}

/** Makes the service forget an image and its candidates. */
export async function forget(filename: string, project: Project): Promise<void> {
  try {
    await project.client.call("DELETE", project.imagePath(filename));
  } catch (error) {
    if (!isProblem(error, "not-found")) throw error;
  }
}

/**
 * Makes the service forget an image whose bytes are not those of the folder, so that nothing of it (what it was for, who
 * chose it) finds its way into the folder's manifest.
 */
export async function forgetChanged(filename: string, project: Project, directory: Directory): Promise<void> {
  let known: string;
  try {
    known = (await project.client.json("GET", project.imagePath(filename), imageSchema)).sha256;
  } catch (error) {
    if (isProblem(error, "not-found")) return;
    throw error;
  }
  const image = await directory.image(filename);
  const isSame = typeof image === "object" && image.sha256 === known && directory.entry(filename) !== undefined;
  if (!isSame) await forget(filename, project);
}

async function stands(existing: string, filename: string, directory: Directory): Promise<boolean> {
  return existing === filename ? directory.keepsManual(existing) : directory.entry(existing) !== undefined;
}
