import type { Command } from "commander";
import { Option } from "commander";
import { z } from "zod";
import { sniffImage } from "../../src/pixels/sniff.ts";
import { attemptsSchema } from "../answers.ts";
import { CommandError, EXIT, type ExitCode, UsageError } from "../failure.ts";
import { readIfThere } from "../files.ts";
import { attemptLines } from "../problem-text.ts";
import { type Run, run, withCommonOptions } from "../run.ts";

const sourceSchema = z.looseObject({
  title: z.string(),
  author: z.string(),
  url: z.string(),
  similarity: z.number().nullable(),
  source_engine: z.string(),
});
const reverseSchema = z.looseObject({
  sources: z.array(sourceSchema),
  similar: z.array(sourceSchema),
  attempts: attemptsSchema,
});

/** What the service takes: 15 MiB of base64. */
const LONGEST_DATA_URL = 15 * 1024 * 1024;

interface ReverseFlags {
  readonly mode?: "cascade" | "multi";
  readonly language: "en" | "vi";
  readonly json?: boolean;
  readonly allowLan?: boolean;
}

const EXAMPLES = `
Examples:
  sluice reverse-image https://example.org/picture.jpg
  sluice reverse-image ./picture.jpg --json`;

/** `sluice reverse-image`: where a picture comes from. */
export function addReverseImage(program: Command): void {
  const command = program
    .command("reverse-image")
    .description("find where an image comes from")
    .argument("<image>", "an http(s) URL, or a file")
    .addOption(new Option("--mode <mode>", "ask until one finds something, or several").choices(["cascade", "multi"]))
    .addOption(new Option("--language <code>", "of the summary").choices(["en", "vi"]).default("en"));
  withCommonOptions(command)
    .addHelpText("after", EXAMPLES)
    .action((image: string, flags: ReverseFlags) => run(flags, (each) => reverse(image, flags, each)));
}

async function reverse(image: string, { mode, language }: ReverseFlags, { service, console }: Run): Promise<ExitCode> {
  const source = /^https?:\/\//i.test(image) ? { image_url: image } : { image_data_url: await dataUrl(image) };
  const body = { ...source, language, ...(mode === undefined ? {} : { mode }) };
  const { client } = await service();
  const answer = await client.json("POST", "/v1/reverse-image", reverseSchema, { body });
  for (const each of answer.sources) console.say(line("", each));
  for (const each of answer.similar) console.say(line("similar: ", each));
  console.document(answer);
  if (answer.sources.length + answer.similar.length > 0) return EXIT.done;
  console.note("Nothing was found.");
  for (const each of attemptLines(answer.attempts)) console.note(each);
  return EXIT.failed;
}

async function dataUrl(path: string): Promise<string> {
  const bytes = await readIfThere(path);
  if (bytes === undefined) throw new UsageError(`${path} is neither an http(s) URL nor a file.`);
  const image = sniffImage(bytes);
  if (image.kind === "refused") throw new CommandError(`${path}: ${image.detail}.`);
  const url = `data:${image.mime};base64,${bytes.toString("base64")}`;
  if (url.length > LONGEST_DATA_URL) throw new CommandError(`${path} is too large: about 11 MB can be searched for.`);
  return url;
}

function line(prefix: string, { title, author, url, similarity, source_engine: engine }: z.infer<typeof sourceSchema>) {
  const by = author === "" ? "" : ` by ${author}`;
  return `${prefix}${title}${by}  ${url}  (${engine}${similarity === null ? "" : `, ${similarity} %`})`;
}
