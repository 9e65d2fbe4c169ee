/** One line of the table that `npm run bench` prints. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  /** What it was measured against, in the same run. */
  readonly against: string;
  /** Empty where nothing is asked for. */
  readonly target: string;
  readonly holds?: boolean;
}

/** As Markdown. */
export function renderTable(rows: readonly Row[]): string {
  return [
    "| What | Figure | Measured against | Target | |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map(({ what, figure, against, target, holds }) => {
      const verdict = holds === undefined ? "" : holds ? "holds" : "missed";
      return `| ${what} | ${figure} | ${against} | ${target} | ${verdict} |`;
    }),
  ].join("\n");
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
