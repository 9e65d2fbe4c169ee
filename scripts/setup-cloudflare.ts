/**
 * `npm run setup:cloudflare`: creates what wrangler.toml needs in the Cloudflare account and nothing that is there
 * already. It says what it will do, asks once, and can be run again after any failure. Exit codes: 0 done or nothing to
 * do, 1 refused or failed, 2 wrong use, 130 Ctrl-C.
 */
import { main } from "./setup/main.ts";

const { argv, env, stdin, stdout } = process;

process.exitCode = await main(argv.slice(2), {
  folder: process.cwd(),
  env,
  terminal: stdin.isTTY && stdout.isTTY ? { input: stdin, output: stdout } : undefined,
  print: (line) => console.log(line),
});
