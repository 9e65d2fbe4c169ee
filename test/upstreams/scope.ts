import { Faults } from "./fault.ts";
import { Limits } from "./limits.ts";
import { RequestLog } from "./request-log.ts";

const DEFAULT_SCOPE = "default";

/** What one test sees of the simulator: its own faults, request log and rate counters. */
export interface Scope {
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly limits: Limits;
}

/** Scopes come into being when they are first named. */
export class Scopes {
  readonly #scopes = new Map<string, Scope>();

  get(name: string): Scope {
    let scope = this.#scopes.get(name);
    if (scope === undefined) {
      scope = { faults: new Faults(), log: new RequestLog(), limits: new Limits(name !== DEFAULT_SCOPE) };
      this.#scopes.set(name, scope);
    }
    return scope;
  }
}

/** Parts the optional prefix `/__scope/<name>` from a path. */
export function scopeOfPath(path: string): { scope: string; rest: string } {
  const match = /^\/__scope\/([^/]+)(\/.*)?$/.exec(path);
  return match === null ? { scope: DEFAULT_SCOPE, rest: path } : { scope: match[1]!, rest: match[2] ?? "/" };
}
