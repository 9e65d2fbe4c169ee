import type { Command } from "commander";
import { type Console, makeConsole } from "./console.ts";
import { CommandError, EXIT, type ExitCode, Interrupted, ProblemError } from "./failure.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { problemLines } from "./problem-text.ts";
import { connect, type Service } from "./service.ts";
import { readSettings, type Settings } from "./settings.ts";

/** What every command is given. */
export interface Run {
  readonly console: Console;
  readonly settings: Settings;
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal;
  /** The service; started at the first call, so that what can be refused without it is. */
  service(): Promise<Service>;
}

interface CommonOptions {
  readonly json?: boolean;
  readonly allowLan?: boolean;
}

/** Options that every command which talks to a service has. */
export function withCommonOptions(command: Command): Command {
  return command
    .option("--json", "print one JSON document for machines; everything else goes to standard error")
    .option("--allow-lan", "let addresses of private networks through (only where the Worker runs here)");
}

/** Runs a command's work, says what went wrong with it, ends what it has started, and leaves with its exit code. */
export async function run(options: CommonOptions, work: (run: Run) => Promise<ExitCode>): Promise<void> {
  const console = makeConsole(options.json === true);
  const signal = listenForInterrupt();
  let service: Promise<Service> | undefined;
  try {
    const settings = readSettings(process.env, process.cwd());
    process.exitCode = await work({
      console,
      settings,
      signal,
      service: () => (service ??= connect(settings, options.allowLan === true, signal)),
    });
  } catch (error) {
    process.exitCode = report(error, console, signal);
  } finally {
    await service?.then(
      (started) => started.close(),
      () => {},
    );
  }
  // Idle connections and the like must not keep a finished program.
  setTimeout(() => process.exit(), 1_000).unref();
}

function report(error: unknown, console: Console, signal: AbortSignal): ExitCode {
  if (error instanceof Interrupted || signal.aborted) {
    console.note("Interrupted.");
    return EXIT.interrupted;
  }
  if (!(error instanceof CommandError)) throw error;
  const lines = error instanceof ProblemError ? problemLines(error.problem) : [error.message];
  for (const line of lines) console.note(line);
  const { code = "failed", ...problem } = error instanceof ProblemError ? error.problem : { detail: error.message };
  console.document({ status: "Failed", error: { code, ...problem } });
  return error.exitCode;
}
