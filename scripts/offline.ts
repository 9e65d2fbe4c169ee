import { TEST_KEYS } from "../test/upstreams/keys.ts";

/** Settings of a Worker that talks to the simulator and to nobody else. The secrets guard nothing real. */
export function offlineVariables(upstreamsUrl: string, publicUrl: string): Record<string, string> {
  return {
    ...TEST_KEYS,
    EGRESS_PROXY: upstreamsUrl,
    PUBLIC_URL: publicUrl,
    CONTACT: "https://sluice.example/contact; ops@sluice.example",
    LOCAL_TENANT: "local",
    SEARCH_MIRROR: "on",
    SIGNING_SECRET: "offline-signing-secret-guards-nothing-real",
  };
}
