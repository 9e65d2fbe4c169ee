import { InvalidArgumentError } from "commander";

/** Reads an option's value as a whole number within limits. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    const limits = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number ${limits}.`);
  };
}

/** For options that may be repeated. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
