import { type Command, Option } from "commander";
import { runImages } from "../images/images.ts";
import { type ImageFlags, MOST_CANDIDATES } from "../images/flags.ts";
import { collect, integer } from "../option-values.ts";
import { run, withCommonOptions } from "../run.ts";

const EXAMPLES = `
Examples:
  sluice images "offshore wind farm" --filename wind.jpg -o images
  sluice images "offshore wind farm" --filename wind.jpg -o images --save-candidates
  sluice images --promote candidate_03.jpg --filename wind.jpg -o images
  sluice images --from-url https://example.org/wind.jpg --filename wind.jpg -o images
  sluice images --batch images/image_queries.json -o images --save-candidates

Exit codes: 0 ready or shortlist prepared, 1 Failed or Needs-Manual, 2 wrong usage, 130 interrupted.`;

/** `sluice images`: the drop-in for the original tool. */
export function addImages(program: Command): void {
  const command = program
    .command("images")
    .description("find license-cleared images, and keep where they come from")
    .argument("[query]", "what to look for; not with --batch")
    .option("--query-variant <text>", "another name or spelling of the subject; repeatable", collect)
    .option("--filename <name>", "what to call the image: a bare name ending in .jpg, .jpeg, .png or .webp")
    .option("-o, --output <dir>", "folder of the images (default: the current one, with --batch the file's own)")
    .option("--slide <id>", "slide it is for, noted in the manifest")
    .option("--purpose <text>", "what it is for: background, hero, side, accent")
    .addOption(
      new Option("--orientation <shape>", "wanted shape (default: any)").choices([
        "any",
        "landscape",
        "portrait",
        "square",
      ]),
    )
    .option("--min-width <pixels>", "least width of the file (default: 1200, portrait 800)", integer(1))
    .option("--min-height <pixels>", "least height of the file (default: 800, portrait 1200)", integer(1))
    .addOption(
      new Option("--provider <id>", "ask only this one (default: all that are configured)").choices([
        "pexels",
        "pixabay",
        "openverse",
        "wikimedia",
      ]),
    )
    .option("--strict-no-attribution", "only licenses that ask for no credit")
    .option("--require-terms <terms>", "what must be named: groups apart by commas, aliases by |; repeatable", collect)
    .option("--manifest <path>", "manifest (default: image_sources.json in the folder)")
    .option("--save-candidates", "show a page of previews to choose from instead of downloading one")
    .option(
      "--max-candidates <n>",
      `previews on a page, at most ${MOST_CANDIDATES}; 0 shows the whole pool (default: 8)`,
      integer(0, MOST_CANDIDATES),
    )
    .option("--candidate-page <n>", "which page to show (default: 1)", integer(1))
    .option("--promote <candidate>", "download one candidate that was shown: candidate_03.jpg")
    .option("--from-url <url>", "use the picture behind a URL; its license is yours to clear")
    .option("--batch <file>", "bring every row of an image_queries.json to its end")
    .option("--concurrency <n>", "rows of a batch at once (default: IMAGE_SEARCH_CONCURRENCY, else 3)", integer(1))
    .option("--project <name>", "project of the service (default: one of the folder's own)");
  withCommonOptions(command)
    .addHelpText("after", EXAMPLES)
    .action((query: string | undefined, flags: ImageFlags) => run(flags, (each) => runImages(query, flags, each)));
}
