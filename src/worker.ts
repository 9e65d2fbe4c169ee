import { createApp } from "../routes/app.ts";

export { ProjectObject } from "../durable-objects/project.ts";

const app = createApp({ now: () => Date.now() });

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),
} satisfies ExportedHandler<Env>;
