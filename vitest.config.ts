import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { offlineVariables } from "./scripts/offline.ts";

const report = process.env["VITEST_JSON"];

export default defineConfig({
  test: {
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    projects: [
      {
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/worker/**"],
          testTimeout: 30_000,
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            // Whatever a test sets over these, nothing may ever reach the internet.
            // And every search is made, unless a test is about the cache.
            miniflare: { bindings: { ...offlineVariables(inject("upstreams"), "https://sluice.test"), CACHE: "off" } },
          })),
        ],
        test: {
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          globalSetup: ["test/upstreams/global-setup.ts", "test/openapi/global-setup.ts"],
          testTimeout: 40_000,
        },
      },
    ],
  },
});
