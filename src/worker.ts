export { ProjectObject } from "../durable-objects/project.ts";
export default { fetch: () => new Response("x") };
