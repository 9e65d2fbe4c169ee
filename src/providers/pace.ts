/** Gives a slot back. Returns at once. */
export type Release = () => void;

/**
 * Waits for one of a provider's `slots`; undefined when all stay taken or `signal` aborts first. Never throws.
 */
export type Pace = (provider: string, slots: number, signal: AbortSignal) => Promise<Release | undefined>;
