import { Command } from "commander";
import { addAnswer } from "./commands/answer.ts";
import { addImages } from "./commands/images.ts";
import { addProviders } from "./commands/providers.ts";
import { addReverseImage } from "./commands/reverse-image.ts";
import { addSearch } from "./commands/search.ts";
import { addServe } from "./commands/serve.ts";

const HELP = `
Examples:
  sluice images "offshore wind farm" --filename wind.jpg -o images
  sluice images --batch images/image_queries.json --save-candidates
  sluice search "wind turbine" --images --cleared
  sluice answer "How tall is the tallest wind turbine?"

With SLUICE_URL (and SLUICE_API_KEY) it talks to that deployment. Without, it runs the service itself, with its data in
~/.local/state/sluice (SLUICE_STATE), and with the providers' keys from the environment or from .env.`;

/** The whole command line. */
export function makeProgram(version: string): Command {
  const program = new Command("sluice")
    .description("License-cleared images, web searches and answers, from a Sluice of your own.")
    .version(version)
    .showHelpAfterError("(--help lists everything)")
    .addHelpText("after", HELP)
    .exitOverride();
  for (const add of [addImages, addSearch, addAnswer, addReverseImage, addProviders, addServe]) add(program);
  return program;
}
