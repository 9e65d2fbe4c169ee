const MOST_VIOLATIONS = 50;

/** What a soak did, and what it found wrong. */
export class Ledger {
  readonly violations: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #began = performance.now();
  readonly #tell: (line: string) => void;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  count(what: string, by = 1): void {
    this.#counts.set(what, this.of(what) + by);
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  /** Those whose names begin so, without it. */
  under(prefix: string): Map<string, number> {
    const found = [...this.#counts].filter(([what]) => what.startsWith(prefix));
    return new Map(found.map(([what, count]) => [what.slice(prefix.length), count]));
  }

  violation(who: string, what: string): void {
    this.count("violations");
    if (this.violations.length >= MOST_VIOLATIONS) return;
    const line = `${this.seconds().toFixed(1)} s, ${who}: ${what}`;
    this.violations.push(line);
    this.#tell(`VIOLATION ${line}`);
  }

  note(what: string): void {
    this.#tell(`${this.seconds().toFixed(1).padStart(7)} s  ${what}`);
  }

  seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }
}
