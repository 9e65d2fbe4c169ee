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
  refuseWebhook(submission, c.var.config.webhooks[identity.tenant]?.secrets ?? []);
  let known: string | undefined;
  if (idempotencyKey !== undefined) {
    const fingerprint = await sha256Hex(new TextEncoder().encode(JSON.stringify(body)) as Uint8Array<ArrayBuffer>);
    const claim = await stub.claimKey(idempotencyKey, fingerprint, c.var.clock.now());
    if (claim.kind === "same") known = claim.batch;
    if (claim.kind === "other-body") {
      throw new SluiceError("idempotency-mismatch", "This Idempotency-Key was used with another body.");
    }
    if (claim.kind === "in-flight") {
      throw new SluiceError("idempotency-in-flight", "A request with this Idempotency-Key is being answered.");
    }
  }
  const id = known ?? `b_${crypto.randomUUID().replaceAll("-", "")}`;
  if (known === undefined) {
    const filenames = submission.items.map((item) => item.filename);
    await stub.addBatch(identity, id, filenames, idempotencyKey, c.var.clock.now());
  }
  // Behind its registration, and again at a repetition: should a Worker die in between, nothing runs that the project
  // does not know, and the same key brings the same batch to life instead of a second one.
  await batchOf(c, { identity, stub }, id).create({
    id,
    identity,
    items: submission.items,
    options: submission.options,
    extra: submission.extra,
  });
  return id;
}

/** The door judges the URL at every delivery, and without a secret none can be made: a hopeless one is told at once. */
function refuseWebhook({ options }: Submission, tenantSecrets: readonly string[]): void {
  if (options.webhook === undefined) return;
  const { url, secret } = options.webhook;
  const why = endpointRefusal(url);
  if (why !== undefined) throw invalidWebhook("/options/webhook/url", why);
  if (secret === undefined && tenantSecrets.length === 0) {
    throw invalidWebhook("/options/webhook/secret", "is missing, and this tenant has none in the setting WEBHOOKS");
  }
}

function invalidWebhook(pointer: string, detail: string): SluiceError {
  return new SluiceError("invalid-request", `${pointer}: ${detail}`, { faults: [{ pointer, detail }] });
}
