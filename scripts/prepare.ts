/** `npm ci` runs this: afterwards `npx sluice` works, and so does everything that boots the Worker. */
import { buildWorker } from "../local/boot.ts";
import { buildCli } from "../local/build-cli.ts";

await Promise.all([buildWorker(), buildCli()]);
