import type { Command } from "commander";
import { z } from "zod";
import { EXIT, type ExitCode } from "../failure.ts";
import { type Run, run, withCommonOptions } from "../run.ts";

const providersSchema = z.looseObject({
  providers: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      homepage: z.string(),
      offers: z.array(z.string()),
      status: z.string(),
      needs: z.array(z.array(z.string())),
      accounts: z.array(
        z.looseObject({ name: z.string(), suspended_until: z.string().nullable(), reason: z.string().nullable() }),
      ),
    }),
  ),
});
type Provider = z.infer<typeof providersSchema>["providers"][number];

/** `sluice providers`: what can be asked, and why something cannot. */
export function addProviders(program: Command): void {
  const command = program
    .command("providers")
    .description("list the providers: ready, without a key, suspended until when and why");
  withCommonOptions(command).action((flags: { json?: boolean; allowLan?: boolean }) => run(flags, list));
}

async function list({ service, console }: Run): Promise<ExitCode> {
  const { client } = await service();
  const answer = await client.json("GET", "/v1/providers", providersSchema);
  const width = Math.max(...answer.providers.map(({ name }) => name.length));
  for (const provider of answer.providers) {
    console.say(
      `${provider.name.padEnd(width)}  ${provider.status.padEnd(12)}  ${whyNot(provider) ?? provider.offers.join(", ")}`,
    );
    for (const line of suspensions(provider)) console.say(`${" ".repeat(width)}  ${line}`);
  }
  console.document(answer);
  return EXIT.done;
}

function whyNot({ status, needs, homepage }: Provider): string | undefined {
  if (status !== "unconfigured") return undefined;
  return `needs ${needs.map((set) => set.join(" and ")).join(", or ")}: ${homepage}`;
}

/** Of one account or of several: a used-up quota is a suspension with that reason. */
function suspensions({ accounts }: Provider): string[] {
  return accounts
    .filter((account) => account.suspended_until !== null)
    .map(
      (account) => `${account.name}: not before ${account.suspended_until} (${account.reason ?? "no reason given"})`,
    );
}
