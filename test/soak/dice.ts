import { seededRandom } from "../crash/seeded-random.ts";

/** Choices that are the same for the same seed. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** In [0, 1). */
  random(): number {
    return this.#random();
  }

  /** A whole number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number {
    return Math.floor(low + this.#random() * (high - low));
  }

  chance(part: number): boolean {
    return this.#random() < part;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length)]!;
  }

  /** One of the choices, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.#random() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return choices.at(-1)![1];
  }

  shuffled<T>(items: readonly T[]): T[] {
    const mixed = [...items];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = this.between(0, last + 1);
      [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
    }
    return mixed;
  }

  /** Dice of its own for somebody else, so that what one does leaves the other's choices alone. */
  fork(): Dice {
    return new Dice(this.between(0, 2 ** 31));
  }
}
