/** `npm run build:assets`: what is served as files, into `dist/assets`. */
import { buildAssets } from "../local/build-assets.ts";

await buildAssets();
