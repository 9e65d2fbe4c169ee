import { once } from "node:events";
import type { Command } from "commander";
import { CommandError, EXIT, type ExitCode } from "../failure.ts";
import { integer } from "../option-values.ts";
import { type Run, run } from "../run.ts";

interface ServeFlags {
  readonly port: number;
  readonly allowLan?: boolean;
}

const EXAMPLES = `
SLUICE_API_KEY is the key where it is set; otherwise a new one is made at each start and printed.

Example:
  sluice serve --port 8787`;

/** `sluice serve`: the Worker on this machine, until Ctrl-C. */
export function addServe(program: Command): void {
  program
    .command("serve")
    .description("run the service on this machine until Ctrl-C")
    .option("--port <n>", "port on 127.0.0.1", integer(1, 65_535), 8787)
    .option("--allow-lan", "let addresses of private networks through")
    .addHelpText("after", EXAMPLES)
    .action((flags: ServeFlags) => run(flags, (each) => serve(flags, each)));
}

async function serve({ port, allowLan }: ServeFlags, { settings, signal, console }: Run): Promise<ExitCode> {
  const { serviceKey: chosen } = settings;
  const { startLocalService } = await import("../local-service.ts");
  const service = await startLocalService({
    settings,
    allowLan: allowLan === true,
    port,
    ...(chosen === undefined ? {} : { key: chosen }),
  }).catch((error: unknown) => {
    throw error instanceof Error && /EADDRINUSE|in use/i.test(error.message) && !(error instanceof CommandError)
      ? new CommandError(`Port ${port} is in use: choose another with --port.`, EXIT.failed, { cause: error })
      : error;
  });
  try {
    console.note(`Sluice runs at ${service.url}, with its data in ${settings.stateFolder}. Ctrl-C ends it.`);
    console.note(chosen === undefined ? `Key: ${service.key}` : "Key: that of SLUICE_API_KEY");
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await service.close();
  }
  return EXIT.done;
}
