import { MultiBar, type SingleBar } from "cli-progress";
import type { Console } from "./console.ts";

/** How a batch is watched: a bar on a terminal, else one line a row on standard error. */
export interface Progress {
  /** A row that has come to its end. */
  row(filename: string, status: string, detail: string): void;
  end(): void;
}

export function startProgress(total: number, console: Console): Progress {
  return process.stderr.isTTY ? barProgress(total) : lineProgress(console);
}

function lineProgress(console: Console): Progress {
  return {
    row: (filename, status, detail) => console.note(line(filename, status, detail)),
    end: () => {},
  };
}

function barProgress(total: number): Progress {
  const bars = new MultiBar({
    stream: process.stderr,
    format: "{bar} {value}/{total} {states}",
    hideCursor: true,
    clearOnComplete: true,
  });
  const counts = new Map<string, number>();
  const bar: SingleBar = bars.create(total, 0, { states: "searching" });
  return {
    row: (filename, status, detail) => {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      bars.log(`${line(filename, status, detail)}\n`);
      bar.increment({ states: [...counts].map(([state, count]) => `${count} ${state}`).join(", ") });
    },
    end: () => bars.stop(),
  };
}

function line(filename: string, status: string, detail: string): string {
  return `${filename}  ${status}${detail === "" ? "" : `  ${detail}`}`;
}
