import { z } from "zod";

const perMinute = z.strictObject({ perMinute: z.int().min(0) });

/** Body of `PUT /__limits`. What is not named keeps its limit; `off` lifts those by the minute that are not named. */
export const limitsSchema = z.strictObject({
  openverse: perMinute.optional(),
  pixabay: perMinute.optional(),
  pexels: perMinute.optional(),
  saucenao: perMinute.optional(),
  github: perMinute.optional(),
  off: z.boolean().optional(),
});

export type LimitSettings = z.infer<typeof limitsSchema>;
export type LimitedUpstream = "openverse" | "pixabay" | "pexels" | "saucenao" | "github";

/**
 * Pexels counts by the hour, far above what a test sends; SauceNAO by half minutes, here for an account that pays;
 * GitHub for clients with a token.
 */
const REAL_PER_MINUTE: Readonly<Record<LimitedUpstream, number>> = {
  openverse: 20,
  pixabay: 100,
  pexels: 200,
  saucenao: 34,
  github: 30,
};
const MINUTE_MS = 60_000;

export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the window is over. */
  readonly resetSeconds: number;
}

/** Fixed windows of a minute, one per upstream. */
export class Limits {
  readonly #windows = new Map<LimitedUpstream, { startedAt: number; used: number }>();
  #settings: LimitSettings;

  /** `enforced` is false for the scope that people work in: there they are off until somebody sets them. */
  constructor(enforced: boolean) {
    this.#settings = { off: !enforced };
  }

  set(settings: LimitSettings): void {
    this.#settings = settings;
    this.#windows.clear();
  }

  /** `most` where this caller may do less than others. */
  take(upstream: LimitedUpstream, now: number, most = Number.POSITIVE_INFINITY): Allowance {
    let window = this.#windows.get(upstream);
    if (window === undefined || now - window.startedAt >= MINUTE_MS) {
      window = { startedAt: now, used: 0 };
      this.#windows.set(upstream, window);
    }
    window.used += 1;
    const named = this.#settings[upstream]?.perMinute;
    const limit = Math.min(most, named ?? REAL_PER_MINUTE[upstream]);
    const lifted = named === undefined && this.#settings.off === true;
    return {
      allowed: lifted || window.used <= limit,
      limit,
      remaining: Math.max(0, limit - window.used),
      resetSeconds: Math.ceil((window.startedAt + MINUTE_MS - now) / 1000),
    };
  }
}
