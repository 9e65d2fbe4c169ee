import type { Attempt } from "../cascade/attempt.ts";
import { verdictOf, wasWanted } from "../cascade/cascade.ts";
import { SluiceError } from "../errors.ts";

/**
 * Members that tell how much an answer is worth: `degraded` when nothing was found but not everyone answered.
 * `providers-failed` and `no-provider` are thrown, with the attempts, when nobody answered.
 */
export function worth(attempts: readonly Attempt[]): { readonly degraded?: true } {
  const verdict = verdictOf(attempts);
  if (verdict === "failed") throw noAnswer(attempts);
  return verdict === "inconclusive" ? { degraded: true } : {};
}

function noAnswer(attempts: readonly Attempt[]): SluiceError {
  const called = attempts.filter(wasWanted);
  if (called.length === 0) {
    const detail = "No provider can be called: see `attempts` for the reason of each.";
    return new SluiceError("no-provider", detail, { context: { attempts } });
  }
  const reasons = called.map((attempt) => `${attempt.provider}: ${attempt.class}`).join(", ");
  return new SluiceError("providers-failed", `No provider answered (${reasons}).`, { context: { attempts } });
}
