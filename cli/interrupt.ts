import { EXIT } from "./failure.ts";

/** The terminal tells every process of its group, and launchers pass on what they hear: so close together is one. */
const SAME_MS = 500;

/** The first Ctrl-C ends what runs in good order, the second one at once. Returns the signal of the first. */
export function listenForInterrupt(): AbortSignal {
  const interruption = new AbortController();
  let first = 0;
  const stop = () => {
    if (interruption.signal.aborted && performance.now() - first > SAME_MS) process.exit(EXIT.interrupted);
    if (interruption.signal.aborted) return;
    first = performance.now();
    interruption.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  return interruption.signal;
}
