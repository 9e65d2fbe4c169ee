/** What the program says: people read standard error and standard output, machines one JSON document with `--json`. */
export interface Console {
  readonly json: boolean;
  /** Progress and hints, to standard error. */
  note(line: string): void;
  /** A result for people: to standard output, with `--json` to nobody. */
  say(line: string): void;
  /** The one document of `--json`. */
  document(value: unknown): void;
}

export function makeConsole(json: boolean): Console {
  return {
    json,
    note: (line) => process.stderr.write(`${plain(line)}\n`),
    say: (line) => {
      if (!json) process.stdout.write(`${plain(line)}\n`);
    },
    document: (value) => {
      if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
  };
}

/** Titles come from the web: they must not steer the terminal or turn the reading direction. */
function plain(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "");
}
