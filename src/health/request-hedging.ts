import type { Clock } from "../cascade/deadline.ts";
import type { Hedging } from "../cascade/hedging.ts";
import type { HedgeBook } from "./hedge-book.ts";

/** Hedging for one request, which counts once however many cascades it runs. */
export function requestHedging(book: HedgeBook, clock: Clock, afterMs: number | undefined): Hedging {
  let counted = false;
  return {
    ...(afterMs === undefined ? {} : { afterMs }),
    begin: () => {
      if (!counted) book.countRequest(clock.now());
      counted = true;
    },
    spend: () => book.spend(clock.now()),
  };
}
