import { hostname } from "node:os";
import { Client } from "./client.ts";
import type { Settings } from "./settings.ts";

/** A Sluice to talk to, wherever it runs. */
export interface Service {
  readonly client: Client;
  /** What distinguishes this machine's folders from those of others: empty where nobody else uses the service. */
  readonly machine: string;
  close(): Promise<void>;
}

/**
 * The deployment that the settings name, or else the Worker run here. Throws `CommandError` when the Worker is not built
 * or another process uses its state.
 */
export async function connect(settings: Settings, allowLan: boolean, signal: AbortSignal): Promise<Service> {
  if (settings.remote !== undefined) {
    const client = new Client({ ...settings.remote, signal });
    return { client, machine: hostname(), close: async () => {} };
  }
  // workerd's runner is half of the start-up time, and nothing to a caller of a deployment.
  const { startLocalService } = await import("./local-service.ts");
  const local = await startLocalService({ settings, allowLan });
  const { url, key, close } = local;
  return { client: new Client({ url, key, signal }), machine: "", close };
}
