/** Of requests, how many may start a step that costs money beside a slow one. */
const PART = 0.05;
const WINDOW_MS = 10 * 60_000;
const SLICES = 10;
const SLICE_MS = WINDOW_MS / SLICES;

interface Slice {
  readonly number: number;
  requests: number;
  hedges: number;
}

/**
 * Requests and paid hedges of the last ten minutes in one isolate: counts only, so requests may share it. The first
 * hedge of a window is free, since 5 % of a few requests are none.
 */
export class HedgeBook {
  #slices: Slice[] = [];

  countRequest(now: number): void {
    this.#slice(now).requests += 1;
  }

  /** Counts one paid hedge; false when the window has had its part. */
  spend(now: number): boolean {
    const slice = this.#slice(now);
    const sum = (of: "requests" | "hedges") => this.#slices.reduce((total, each) => total + each[of], 0);
    if (sum("hedges") + 1 > Math.max(1, Math.floor(sum("requests") * PART))) return false;
    slice.hedges += 1;
    return true;
  }

  /** The slice of now, with those dropped that the window has left. */
  #slice(now: number): Slice {
    const number = Math.floor(now / SLICE_MS);
    this.#slices = this.#slices.filter((slice) => slice.number > number - SLICES);
    let slice = this.#slices.find((each) => each.number === number);
    if (slice === undefined) {
      slice = { number, requests: 0, hedges: 0 };
      this.#slices.push(slice);
    }
    return slice;
  }
}
