import { setTimeout as wait } from "node:timers/promises";
import type { Checker } from "../openapi/checker.ts";
import { type Answer, faultsOf, textOf } from "./answer-faults.ts";
import type { Deployment } from "./deployment.ts";
import type { Dice } from "./dice.ts";
import type { Ledger } from "./ledger.ts";
import { limitOf } from "./limits.ts";
import type { Tenant } from "./tenants.ts";

/** The Worker was killed while this was under way: nobody knows whether it was done. */
export class Interrupted extends Error {}

/**
 * The answer was there before all of a large body was sent, and the connection closed behind it: whoever still writes may
 * never read why.
 */
export class CutOff extends Interrupted {}

export interface Ask {
  readonly operationId: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly (readonly [string, string])[];
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Without the key. */
  readonly isAnonymous?: boolean;
  /** Not led to the operation for sure, so any answer below 500 will do. */
  readonly isAstray?: boolean;
}

/** What all clients share. */
export interface World {
  readonly deployment: Deployment;
  readonly ledger: Ledger;
  readonly checker: Checker;
}

/** Statuses that say: come again. */
const LATER = new Set([429, 503]);
const MOST_TRIES = 40;

/** One of those who use the Worker under soak, in one of his lives: asks for one tenant, and judges every answer. */
export class Client {
  readonly name: string;
  readonly tenant: Tenant;
  readonly dice: Dice;
  readonly deployment: Deployment;
  readonly ledger: Ledger;
  readonly #checker: Checker;

  constructor(name: string, tenant: Tenant, dice: Dice, world: World) {
    this.name = name;
    this.tenant = tenant;
    this.dice = dice;
    this.deployment = world.deployment;
    this.ledger = world.ledger;
    this.#checker = world.checker;
  }

  /** One request and its whole answer. Throws `Interrupted`; every other way to get no answer is a violation. */
  async ask(ask: Ask): Promise<Answer> {
    const { operationId } = ask;
    await this.deployment.up();
    const { life, pausedMs } = this.deployment;
    const began = performance.now();
    const limitMs = limitOf(operationId);
    this.ledger.count("requests");
    this.ledger.count(`operation ${operationId}`);
    try {
      const response = await this.fetch(ask, AbortSignal.timeout(2 * limitMs + 60_000));
      const bytes = new Uint8Array(await response.arrayBuffer());
      const { status, headers } = response;
      const answer = { operationId, status, headers, bytes, text: textOf(headers, bytes) };
      const ms = performance.now() - began - (this.deployment.pausedMs - pausedMs);
      const late = ms > limitMs ? [`late: ${operationId} ${status} took ${Math.round(ms)} ms`] : [];
      const asked = { tenant: ask.isAnonymous === true ? undefined : this.tenant, isDescribed: ask.isAstray !== true };
      for (const fault of [...faultsOf(answer, asked, this.#checker), ...late]) this.violation(fault);
      this.ledger.count(`status ${Math.floor(status / 100)}xx`);
      this.deployment.log.answered(headers.get("x-request-id") ?? "");
      return answer;
    } catch (error) {
      if (life !== this.deployment.life) {
        this.ledger.count("requests cut by a kill");
        throw new Interrupted();
      }
      if (isCutOff(ask, error)) {
        this.ledger.count("uploads refused before their end");
        throw new CutOff();
      }
      this.violation(`no answer: ${ask.method ?? "GET"} ${ask.path.slice(0, 200)}: ${causeOf(error)}`);
      throw new Interrupted(undefined, { cause: error });
    }
  }

  /** Again and again, also over kills, until an answer is something else than "later". */
  async insist(ask: Ask): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.ask(ask);
        if (!LATER.has(answer.status) || tries === MOST_TRIES) return answer;
        await wait(500);
      } catch (error) {
        if (!(error instanceof Interrupted) || error instanceof CutOff || tries === MOST_TRIES) throw error;
        await wait(100);
      }
    }
  }

  /** The bare request, for those who do not read its answer as others do. */
  fetch({ method = "GET", path, headers = [], json, body, isAnonymous }: Ask, signal: AbortSignal): Promise<Response> {
    const key: [string, string][] = isAnonymous === true ? [] : [["authorization", `Bearer ${this.tenant.key}`]];
    const type: [string, string][] = json === undefined ? [] : [["content-type", "application/json"]];
    const content = json === undefined ? body : JSON.stringify(json);
    return fetch(this.deployment.url + path, {
      method,
      headers: [...key, ...type, ...headers] as [string, string][],
      redirect: "manual",
      signal,
      ...(content === undefined ? {} : { body: content }),
    });
  }

  violation(what: string): void {
    this.ledger.violation(this.name, what);
  }

  /** Violates where a claim does not hold. */
  claim(holds: boolean, what: () => string): void {
    if (!holds) this.violation(what());
  }
}

export function jsonOf<T>({ text }: Answer): T {
  return JSON.parse(text) as T;
}

/** Less than this is read to its end even where nobody wants it. */
const DRAINED_BYTES = 65_536;

function isCutOff({ body = "" }: Ask, error: unknown): boolean {
  return body.length > DRAINED_BYTES && /EPIPE|ECONNRESET/.test(causeOf(error));
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return `${String(error)} ${cause === undefined ? "" : String(cause)}`;
}
