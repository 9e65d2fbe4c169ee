import { WorkerEntrypoint } from "cloudflare:workers";
import { runRow, sourcedReport } from "../src/batches/run-row.ts";
import type { RowItem, RowReport } from "../src/batches/rows.ts";
import type { BatchOptions } from "../src/batches/submission.ts";
import { requestCache } from "../src/cache/isolate.ts";
import { deadlineIn } from "../src/cascade/deadline.ts";
import { type Config, configOf } from "../src/config.ts";
import { requestHealth } from "../src/health/isolate.ts";
import type { Fence } from "../src/images/commit.ts";
import type { ProjectIdentity } from "./project.ts";
import { projectStore, projectStub } from "./project-store.ts";
import { withinBudget } from "./row-budget.ts";
import type { System } from "./system.ts";

export interface RowWork {
  readonly identity: ProjectIdentity;
  readonly item: RowItem;
  readonly options: Pick<BatchOptions, "save_candidates" | "max_candidates">;
  readonly fence: Fence;
  /** Attempts directly before this one whose runners fell silent. */
  readonly crashes: number;
}

/** Under the time after which a batch takes its runner for dead. */
const TIME_LIMIT_MS = 120_000;

/** Works on one row and forgets it: all state is the project's and the batch's. Called by the batch over RPC. */
export abstract class RowRunnerBase extends WorkerEntrypoint<Env> {
  protected abstract readonly system: System;

  async run({ identity, item, options, fence, crashes }: RowWork): Promise<RowReport> {
    // A runner that died behind its last step has left its image, and nobody has heard of it.
    const since = { batch: fence.batch, attempt: fence.attempt - crashes };
    const left = crashes === 0 ? undefined : await projectStub(this.env, identity).imageOf(item.filename, since);
    if (left !== undefined) return sourcedReport(left, []);
    const { clock, random } = this.system;
    const config = configOf(this.env);
    const waitUntil = (work: Promise<unknown>) => this.ctx.waitUntil(work);
    const context = {
      config,
      clock,
      deadline: deadlineIn(TIME_LIMIT_MS, clock),
      ...(await requestHealth(this.env.PROVIDER_HEALTH, { config, clock, random, waitUntil }, "recent")),
      ...(config.cache ? { cache: this.#cache(identity.tenant, config) } : {}),
    };
    const project = projectStore(this.env, identity, clock, fence);
    const sink = { bucket: this.env.BUCKET, tenant: identity.tenant, project };
    return withinBudget(this.env, config, identity.tenant, clock, (door) =>
      runRow(item, options, sink, { ...context, door }),
    );
  }

  #cache(tenant: string, config: Config) {
    return requestCache({
      config,
      clock: this.system.clock,
      tenant,
      bucket: this.env.BUCKET,
      wish: "use",
      note: () => {},
      waitUntil: (work) => this.ctx.waitUntil(work),
    });
  }
}
