import type { Clock } from "../src/cascade/deadline.ts";
import type { Fence, ProjectStore } from "../src/images/commit.ts";
import type { ProjectIdentity, ProjectObject } from "./project.ts";

export function projectStub(env: Env, { tenant, project }: ProjectIdentity): DurableObjectStub<ProjectObject> {
  return env.PROJECTS.getByName(`${tenant}/${project}`);
}

/** A project as the image jobs see it; everything they write is fenced when a batch's attempt is at work. */
export function projectStore(env: Env, identity: ProjectIdentity, clock: Clock, fence?: Fence): ProjectStore {
  const stub = projectStub(env, identity);
  return {
    refusalFor: async (filename, origin) => stub.refusalFor(filename, origin, fence),
    commit: async (commit) => stub.commit(identity, commit, clock.now(), fence),
    image: async (filename) => stub.image(filename),
    pool: async (filename) => stub.pool(filename),
    startPool: async (pool) => stub.startPool(identity, pool, clock.now(), fence),
    addPreviews: async (filename, report) => stub.addPreviews(filename, report, fence),
    showPage: async (filename, page) => stub.showPage(filename, page, fence),
  };
}
