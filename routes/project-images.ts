import type { ImageRecord } from "../src/images/commit.ts";
import type { Project } from "./projects.ts";

const IMAGES_PER_READ = 500;

/** Every image of a project in the order of its manifest: what is known of them, not their bytes. */
export async function allImages({ stub }: Project): Promise<ImageRecord[]> {
  const all: ImageRecord[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: { images: ImageRecord[]; next: number | undefined } = await stub.images(after, IMAGES_PER_READ);
    all.push(...page.images);
    after = page.next;
  }
  return all;
}
