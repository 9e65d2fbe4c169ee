import { BatchBase } from "../durable-objects/batch.ts";
import { RowRunnerBase } from "../durable-objects/row-runner.ts";
import type { System } from "../durable-objects/system.ts";
import { createApp } from "../routes/app.ts";

export { ProjectObject } from "../durable-objects/project.ts";
export { ProviderHealthObject } from "../durable-objects/provider-health.ts";
export { RateLimiterObject } from "../durable-objects/rate-limiter.ts";

const system: System = { clock: { now: () => Date.now() }, random: () => Math.random() };

export class BatchObject extends BatchBase {
  protected override readonly system = system;
}

/** What a batch calls for each row. */
export class RowRunner extends RowRunnerBase {
  protected override readonly system = system;
}

const app = createApp(system.clock);

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),
} satisfies ExportedHandler<Env>;
