import { createInterface, type Interface } from "node:readline/promises";
import { type Readable, Writable } from "node:stream";

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/** Ctrl-C, or the end of the input, at a prompt. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Whether the answer begins with y. Throws Interrupted. */
export async function confirm(question: string, { input, output }: Terminal): Promise<boolean> {
  const answer = await lineOf(createInterface({ input, output }), `${question} [y/N] `);
  return /^\s*y/i.test(answer);
}

/** A line that is not shown while it is typed or pasted; empty when nothing was. Throws Interrupted. */
export async function askSecret(name: string, { input, output }: Terminal): Promise<string> {
  output.write(`${name}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    // As a terminal: the driver would echo the line by itself.
    return (await lineOf(createInterface({ input, output: silent, terminal: true }), "")).trim();
  } finally {
    output.write("\n");
  }
}

async function lineOf(lines: Interface, question: string): Promise<string> {
  const interrupted = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(new Interrupted("Interrupted; nothing more was done."));
    lines.once("SIGINT", stop).once("close", stop);
  });
  try {
    return await Promise.race([lines.question(question), interrupted]);
  } finally {
    lines.close();
    interrupted.catch(() => {});
  }
}
