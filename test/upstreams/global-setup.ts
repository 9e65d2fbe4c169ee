import type { TestProject } from "vitest/node";
import { startUpstreams } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the simulator listens. */
    upstreams: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const upstreams = await startUpstreams({ port: 0 });
  project.provide("upstreams", upstreams.url);
  return () => upstreams.close();
}
