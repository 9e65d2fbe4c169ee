import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { Project, row, until, upstreamsUrl } from "./batch-project.ts";
import { Gateway } from "./gateway.ts";

describe("webhooks", () => {
  const secret = `whsec_${btoa("a-secret-of-this-one-batch-32-b!")}`;

  it("tell every row, every selection and the end, signed so that the reference library takes them", async () => {
    const project = new Project();
    const path = `/hook-${project.name}`;
    const batch = await project.run({
      items: [row("alps.jpg", "french alpine landscape"), row("nothing.jpg", "zzqqxxyy")],
      options: { save_candidates: true, webhook: { url: `https://webhooks.example${path}`, secret } },
    });
    const received = await until(async () => {
      const calls = (
        await (
          await fetch(`${upstreamsUrl()}/__requests`)
        ).json<{ requests: { path: string; body: string; headers: Record<string, string> }[] }>()
      ).requests.filter((call) => call.path === path);
      return calls.length >= 4 ? calls : undefined;
    });
    const events = received.map(
      (call) => new Webhook(secret).verify(call.body, call.headers) as { type: string; data: Record<string, unknown> },
    );
    expect(events.map((event) => event.type).toSorted()).toEqual([
      "batch.completed",
      "batch.needs_selection",
      "batch.row.changed",
      "batch.row.changed",
    ]);
    const selection = events.find((event) => event.type === "batch.needs_selection")!;
    expect(selection.data).toMatchObject({ filename: "alps.jpg", candidate_page: 1 });
    // Signed with the secret of the test run, in which batches run.
    const { SIGNING_SECRET } = env as unknown as Record<string, string>;
    const withoutKey = new Gateway({ LOCAL_TENANT: "", ...(SIGNING_SECRET === undefined ? {} : { SIGNING_SECRET }) });
    const sheet = await withoutKey.fetch(new URL(String(selection.data["review_sheet_url"])).pathname);
    expect([sheet.status, sheet.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    const review = await withoutKey.fetch(`${new URL(String(selection.data["review_url"])).pathname}/state`);
    expect(await review.json()).toMatchObject({
      project: project.name,
      filename: "alps.jpg",
      actions: ["read", "promote", "page"],
      row: { status: "Needs-Selection", batch: batch.id },
    });
    const log = await (
      await project.gateway.fetch(`${batch.url}/deliveries`)
    ).json<{ deliveries: { id: string; state: string }[] }>();
    expect(log.deliveries).toHaveLength(4);
    expect(JSON.stringify(log) + JSON.stringify(batch)).not.toContain(secret);
    const resent = await project.gateway.post(`${batch.url}/deliveries/${log.deliveries[0]!.id}/resend`, {});
    expect(resent.status).toBe(202);
    await until(async () => {
      const calls = (
        await (
          await fetch(`${upstreamsUrl()}/__requests`)
        ).json<{ requests: { path: string; headers: Record<string, string> }[] }>()
      ).requests;
      const ids = calls.filter((call) => call.path === path).map((call) => call.headers["webhook-id"]);
      return ids.filter((id) => id === log.deliveries[0]!.id).length === 2 ? ids : undefined;
    });
  });

  it("start a batch when their signature is ours, and the same one when they come again", async () => {
    const key = `whsec_${btoa("the-secret-of-the-tenant-32-byte")}`;
    const gateway = new Gateway({ WEBHOOKS: JSON.stringify({ acme: { secrets: [key] } }) });
    const body = JSON.stringify({ items: [row("airplane.jpg", "airplane from above")] });
    const send = (id: string, at: Date, signedBy = key) =>
      gateway.fetch("/v1/hooks/acme/inbound", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": new Webhook(signedBy).sign(id, at, body),
        },
        body,
      });
    const now = new Date();
    const first = await send("msg_1", now);
    expect(first.status).toBe(202);
    expect(first.headers.get("location")).toMatch(/^\/v1\/projects\/inbound\/batches\/b_/);
    expect((await send("msg_1", now)).headers.get("location")).toBe(first.headers.get("location"));
    expect((await send("msg_2", now, secret)).status).toBe(401);
    expect((await send("msg_3", new Date(now.getTime() - 3_600_000))).status).toBe(401);
    expect((await gateway.post("/v1/hooks/nobody/inbound", JSON.parse(body))).status).toBe(401);
  });
});
