/** The value that `share` of the samples do not exceed (nearest rank); NaN of none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function mean(samples: readonly number[]): number {
  return samples.reduce((total, sample) => total + sample, 0) / samples.length;
}

/** Samples of one quarter of a run, 1 to 4. */
export function quarterOf(samples: readonly number[], number: number): readonly number[] {
  return samples.slice(((number - 1) * samples.length) / 4, (number * samples.length) / 4);
}

/** Of an even number of samples, the mean of the two in the middle. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}
