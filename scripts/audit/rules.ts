import type { AuditRules } from "./lockfile.ts";

export const RULES: AuditRules = {
  installScripts: {
    workerd: "checks that the runtime's binary fits this machine",
    esbuild: "the same for the bundler that wrangler uses",
    node: "puts Node 22 in its place, which wrangler and vitest need",
    "@scarf/scarf": "comes with swagger-ui-dist; `scarfSettings` in package.json keeps it from reporting anything",
  },
  licenses: ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "0BSD", "CC0-1.0", "Unlicense"],
  notDeployed: {
    miniflare: "runs the Worker on a machine",
    node: "is what scripts and the command line run on",
  },
  served: ["swagger-ui-dist"],
};
