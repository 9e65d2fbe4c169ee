/** Stands for `zod` and `zod/v4` in the bundle (`alias` in wrangler.toml). */
import * as z from "./bundled-zod-members.ts";

export * from "./bundled-zod-members.ts";
export { z, z as default };
