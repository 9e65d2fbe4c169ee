/**
 * - `refused`: the guard does not let this URL out
 * - `timeout`: the time limit or the caller's signal ended it
 * - `network`: no connection, or it broke
 * - `too-large`: more bytes than allowed
 * - `redirects`: too many of them, or one that leads nowhere
 * - `over-budget`: the tenant may make no further call today
 */
export type EgressReason = "refused" | "timeout" | "network" | "too-large" | "redirects" | "over-budget";

/** Why nothing came back. The message is ours: no URL, no secret, no upstream text. */
export class EgressError extends Error {
  readonly reason: EgressReason;

  constructor(reason: EgressReason, message: string) {
    super(message);
    this.name = "EgressError";
    this.reason = reason;
  }
}
