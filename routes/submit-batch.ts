import type { Context } from "hono";
import type { Submission } from "../src/batches/submission.ts";
import { SluiceError } from "../src/errors.ts";
import { sha256Hex } from "../src/storage/objects.ts";
import { endpointRefusal } from "../src/webhooks/deliver.ts";
import { batchOf } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import type { Project } from "./projects.ts";

/**
 * Starts a batch and answers its id. With an idempotency key the same body gets the first one's id; another body is
 * `idempotency-mismatch`, and a first one that is still under way `idempotency-in-flight`.
 */
export async function submitBatch(
  c: Context<AppEnv>,
  { identity, stub }: Project,
  submission: Submission,
  body: unknown,
  idempotencyKey: string | undefined,
): Promise<string> {
  refuseWebhook(submission.options.webhook?.url);
  if (idempotencyKey !== undefined) {
    const fingerprint = await sha256Hex(new TextEncoder().encode(JSON.stringify(body)) as Uint8Array<ArrayBuffer>);
    const claim = await stub.claimKey(idempotencyKey, fingerprint, c.var.clock.now());
    if (claim.kind === "same") return claim.batch;
    if (claim.kind === "other-body") {
      throw new SluiceError("idempotency-mismatch", "This Idempotency-Key was used with another body.");
    }
    if (claim.kind === "in-flight") {
      throw new SluiceError("idempotency-in-flight", "A request with this Idempotency-Key is being answered.");
    }
  }
  const id = `b_${crypto.randomUUID().replaceAll("-", "")}`;
  await batchOf(c, { identity, stub }, id).create({
    id,
    identity,
    items: submission.items,
    options: submission.options,
    extra: submission.extra,
  });
  const filenames = submission.items.map((item) => item.filename);
  await stub.addBatch(id, filenames, idempotencyKey, c.var.clock.now());
  return id;
}

/** The door judges the URL at every delivery; a hopeless one is told at once. */
function refuseWebhook(url: string | undefined): void {
  const why = url === undefined ? undefined : endpointRefusal(url);
  if (why === undefined) return;
  const fault = { pointer: "/options/webhook/url", detail: why };
  throw new SluiceError("invalid-request", `${fault.pointer}: ${why}`, { faults: [fault] });
}
