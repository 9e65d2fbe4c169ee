/** What a run of the program ends with. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An end that is not a defect: `message` is for the person at the terminal and holds no key. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/** Arguments that cannot be meant. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.usage);
    this.name = "UsageError";
  }
}

/** Ctrl-C. */
export class Interrupted extends CommandError {
  constructor() {
    super("Interrupted.", EXIT.interrupted);
    this.name = "Interrupted";
  }
}

/** What a service answered instead of a result: an RFC 9457 problem. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly [member: string]: unknown;
}

export class ProblemError extends CommandError {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "ProblemError";
    this.problem = problem;
  }
}

/** Whether a service answered with this problem. */
export function isProblem(error: unknown, ...codes: string[]): error is ProblemError {
  return error instanceof ProblemError && codes.includes(error.problem.code);
}
