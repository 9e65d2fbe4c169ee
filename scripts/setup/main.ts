import { HELP, readOptions } from "./options.ts";
import { Interrupted } from "./prompt.ts";
import { setUp, type Surroundings } from "./run.ts";
import { UsageError } from "./settings.ts";
import { WranglerError } from "./wrangler.ts";

/** Runs the set-up and says in words what went wrong; returns the exit code. */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    return await setUp(readOptions(argv), surroundings);
  } catch (error) {
    return explain(error, surroundings.print);
  }
}

function explain(error: unknown, print: Surroundings["print"]): number {
  if (error instanceof Interrupted) {
    print(error.message);
    return 130;
  }
  if (error instanceof UsageError) {
    print(`${error.message}\n\n${HELP.split("\n", 1)[0]}; --help lists them.`);
    return 2;
  }
  if (error instanceof WranglerError) {
    print(error.message);
    if (error.advice !== undefined) print(`What to do: ${error.advice}`);
    print("What was done stays done: run the same command again, and it goes on from there.");
    return 1;
  }
  throw error;
}
