import type { HttpBindings } from "@hono/node-server";
import type { Scope } from "./scope.ts";

/** What every handler finds in its context. */
export interface SimulatorEnv {
  Bindings: HttpBindings;
  Variables: {
    scope: Scope;
    /** Id of the upstream that is asked. */
    upstream: string;
    /** A fault wants the answer of a search that finds nothing. */
    findNothing: boolean;
    /** The connection is broken off on purpose. */
    cutByUs: boolean;
  };
}
