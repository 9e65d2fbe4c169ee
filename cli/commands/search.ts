import type { Command } from "commander";
import { z } from "zod";
import { attemptsSchema } from "../answers.ts";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../failure.ts";
import { integer } from "../option-values.ts";
import { attemptLines } from "../problem-text.ts";
import { type Run, run, withCommonOptions } from "../run.ts";

const webSchema = z.looseObject({
  results: z.array(z.looseObject({ title: z.string(), link: z.string(), snippet: z.string() })),
  attempts: attemptsSchema,
});
const imagesSchema = z.looseObject({
  results: z.array(
    z.looseObject({
      title: z.string(),
      imageUrl: z.string(),
      link: z.string(),
      width: z.number().optional(),
      height: z.number().optional(),
      credit: z.string().optional(),
    }),
  ),
  attempts: attemptsSchema,
});

interface SearchFlags {
  readonly images?: boolean;
  readonly cleared?: boolean;
  readonly engine?: string;
  readonly country?: string;
  readonly locale?: string;
  readonly page?: number;
  readonly num?: number;
  readonly unsafe?: boolean;
  readonly json?: boolean;
  readonly allowLan?: boolean;
}

const EXAMPLES = `
Examples:
  sluice search "offshore wind farm statistics"
  sluice search "wind turbine" --images --cleared --num 5 --json`;

/** `sluice search`: the web, or images of any license or of cleared ones only. */
export function addSearch(program: Command): void {
  const command = program
    .command("search")
    .description("search the web, or images")
    .argument("<query>", "what to look for")
    .option("--images", "search images instead of pages")
    .option("--cleared", "only images whose license is cleared; means --images")
    .option("--engine <id>", "ask for one engine: google, bing, baidu, …")
    .option("--country <code>", "country of two letters")
    .option("--locale <tag>", "language tag: en, pt-BR")
    .option("--page <n>", "page of the results (default: 1)", integer(1, 100))
    .option("--num <n>", "results wanted (default: 10)", integer(1, 100))
    .option("--unsafe", "without the providers' safe search");
  withCommonOptions(command)
    .addHelpText("after", EXAMPLES)
    .action((query: string, flags: SearchFlags) => run(flags, (each) => search(query, flags, each)));
}

async function search(query: string, flags: SearchFlags, { service, console }: Run): Promise<ExitCode> {
  const { images, cleared, engine, country, locale, page, num, unsafe } = flags;
  const wantsImages = images === true || cleared === true;
  const given = Object.entries({ engine, country, locale, page, num }).filter(([, value]) => value !== undefined);
  const body = {
    query,
    ...Object.fromEntries(given),
    ...(unsafe === true ? { safe: false } : {}),
    ...(cleared === true ? { license: "cleared" } : {}),
  };
  const { client } = await service();
  if (wantsImages) {
    const answer = await client.json("POST", "/v1/image-search", imagesSchema, { body });
    for (const { title, imageUrl, link, width, height, credit } of answer.results) {
      console.say(
        `${title}${width === undefined ? "" : `  ${width}x${height}`}${credit === undefined ? "" : `  ${credit}`}`,
      );
      console.say(`  ${imageUrl}`);
      console.say(`  ${link}`);
    }
    return ended(answer, console);
  }
  const answer = await client.json("POST", "/v1/web-search", webSchema, { body });
  for (const { title, link, snippet } of answer.results) {
    console.say(title);
    console.say(`  ${link}`);
    if (snippet !== "") console.say(`  ${snippet}`);
  }
  return ended(answer, console);
}

function ended(answer: z.infer<typeof webSchema> | z.infer<typeof imagesSchema>, console: Console): ExitCode {
  console.document(answer);
  if (answer.results.length > 0) return EXIT.done;
  console.note("Nothing was found.");
  for (const line of attemptLines(answer.attempts)) console.note(line);
  return EXIT.failed;
}
