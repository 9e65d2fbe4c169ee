import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { until } from "./until.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/serve-offline-worker.ts", import.meta.url));
const READY_MS = 60_000;
const GONE_MS = 5_000;

export interface WorkerProcess {
  readonly url: string;
  /** Of the process group: the boot script leads it, workerd belongs to it. */
  readonly group: number;
  /** SIGKILL to the whole group; returns when nobody listens on the port any more. */
  kill(): Promise<void>;
}

export interface WorkerProcessOptions {
  readonly port: number;
  readonly state: string;
  /** `EGRESS_PROXY`. */
  readonly upstreamsUrl: string;
  /** Opens workerd's inspector there. */
  readonly inspectorPort?: number;
  /** What else the boot script reads. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Gets the Worker's log lines, where LOG=on is in `environment`. */
  readonly onLine?: (line: string) => void;
}

/** Starts the built Worker in a process group of its own. Rejects with what it wrote when it does not come up. */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const { port, state, upstreamsUrl, inspectorPort, environment, onLine } = options;
  const child = spawn(process.execPath, [SCRIPT], {
    detached: true,
    stdio: ["ignore", onLine === undefined ? "ignore" : "pipe", "pipe"],
    env: {
      ...process.env,
      PORT: String(port),
      STATE: state,
      EGRESS_PROXY: upstreamsUrl,
      ...(inspectorPort === undefined ? {} : { INSPECTOR_PORT: String(inspectorPort) }),
      ...environment,
    },
  });
  if (onLine !== undefined && child.stdout !== null) createInterface({ input: child.stdout }).on("line", onLine);
  const exited = once(child, "exit");
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (said = (said + chunk).slice(-4_000)));
  const group = child.pid;
  if (group === undefined) throw new Error("The Worker's process did not start.");
  const url = `http://127.0.0.1:${port}`;
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-group, "SIGKILL");
  };
  // A group of its own does not end with its parent.
  process.once("exit", end);

  async function kill(): Promise<void> {
    end();
    await exited;
    process.off("exit", end);
    await until(`port ${port} refuses`, GONE_MS, async () => !(await listens(port)));
  }

  try {
    await until("the Worker answers", READY_MS, async () => {
      if (child.exitCode !== null) throw new Error(`It ended with exit code ${child.exitCode}.`);
      return (await listens(port)) && (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(READY_MS) })).ok;
    });
  } catch (error) {
    await kill();
    throw new Error(`The Worker did not come up: ${said}`, { cause: error });
  }
  return { url, group, kill };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
