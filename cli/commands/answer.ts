import type { Command } from "commander";
import { z } from "zod";
import { attemptsSchema } from "../answers.ts";
import { EXIT, type ExitCode } from "../failure.ts";
import { integer } from "../option-values.ts";
import { attemptLines } from "../problem-text.ts";
import { type Run, run, withCommonOptions } from "../run.ts";

const answerSchema = z.looseObject({
  answer: z.string().nullable(),
  results: z.array(z.looseObject({ title: z.string(), url: z.string() })),
  searched_with: z.string(),
  attempts: attemptsSchema.optional(),
});

interface AnswerFlags {
  readonly maxResults?: number;
  readonly country?: string;
  readonly safeMode?: boolean;
  readonly json?: boolean;
  readonly allowLan?: boolean;
}

const EXAMPLES = `
Example:
  sluice answer "Who won the last Champions League final?"`;

/** `sluice answer`: a question, answered with its sources. */
export function addAnswer(program: Command): void {
  const command = program
    .command("answer")
    .description("answer a question from the web, with sources")
    .argument("<question>", "what to answer")
    .option("--max-results <n>", "sources wanted (default: 5)", integer(0, 20))
    .option("--country <code>", "country of two letters")
    .option("--safe-mode", "few sources, short snippets");
  withCommonOptions(command)
    .addHelpText("after", EXAMPLES)
    .action((question: string, flags: AnswerFlags) => run(flags, (each) => answer(question, flags, each)));
}

async function answer(query: string, flags: AnswerFlags, { service, console }: Run): Promise<ExitCode> {
  const { maxResults, country, safeMode } = flags;
  const body = {
    query,
    ...(maxResults === undefined ? {} : { max_results: maxResults }),
    ...(country === undefined ? {} : { country }),
    ...(safeMode === true ? { safe_mode: true } : {}),
  };
  const { client } = await service();
  const answered = await client.json("POST", "/v1/answer", answerSchema, { body });
  console.document(answered);
  if (!answered.answer && answered.results.length === 0) {
    console.note("Nothing was found.");
    for (const line of attemptLines(answered.attempts ?? [])) console.note(line);
    return EXIT.failed;
  }
  console.say(answered.answer || "No answer, but these sources:");
  for (const [index, { title, url }] of answered.results.entries()) console.say(`[${index + 1}] ${title}  ${url}`);
  console.say(`Searched with: ${answered.searched_with}`);
  return EXIT.done;
}
