import { z } from "zod";

/** Body of `PUT /__faults/{upstream}`. Without `times` it holds until it is deleted. */
export const faultSchema = z.strictObject({
  times: z.int().min(1).optional(),
  /** Only requests whose path and query contain this. */
  match: z.string().optional(),
  /** The upstream's own way to show this class. */
  class: z
    .enum(["auth", "quota", "rate", "transient", "bad-request", "blocked", "malformed", "empty", "timeout"])
    .optional(),
  /** Id of a row of its error table: see `fault-cases.ts`. */
  case: z.string().optional(),
  status: z.int().min(200).max(599).optional(),
  body: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Headers never come. */
  hang: z.literal(true).optional(),
  /** Before whatever else is done. */
  latencyMs: z.int().min(0).optional(),
  slowBody: z.strictObject({ bytesPerSecond: z.int().min(1) }).optional(),
  /** Promises the whole body and breaks off after this many bytes. */
  truncate: z.int().min(0).optional(),
  html: z.literal(true).optional(),
  bomb: z.literal(true).optional(),
  endless: z.literal(true).optional(),
  redirect: z.string().optional(),
});

export type Fault = z.infer<typeof faultSchema>;

/** The faults of one scope: one per upstream, the last one set. */
export class Faults {
  readonly #faults = new Map<string, { fault: Fault; left: number }>();
  /** How many requests have met one. */
  taken = 0;

  set(upstream: string, fault: Fault): void {
    this.#faults.set(upstream, { fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  delete(upstream: string): void {
    this.#faults.delete(upstream);
  }

  clear(): void {
    this.#faults.clear();
  }

  /** The first fault that is set under one of the ids and matches; it counts as used. */
  take(upstreams: readonly string[], pathAndQuery: string): Fault | undefined {
    for (const upstream of upstreams) {
      const entry = this.#faults.get(upstream);
      if (entry === undefined || entry.left < 1 || !matches(entry.fault, pathAndQuery)) continue;
      entry.left -= 1;
      this.taken += 1;
      return entry.fault;
    }
    return undefined;
  }
}

function matches(fault: Fault, pathAndQuery: string): boolean {
  return fault.match === undefined || pathAndQuery.includes(fault.match);
}
