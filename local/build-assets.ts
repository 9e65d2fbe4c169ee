import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { ASSETS_FOLDER, replaceFolder, ROOT } from "./folders.ts";

/** Of swagger-ui-dist: what `/docs` needs, and its licenses. */
const SWAGGER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"];

/** One script for all pages, the style sheets, and the viewer of the API description. Everything comes from our origin. */
export async function buildAssets(): Promise<void> {
  await replaceFolder(ASSETS_FOLDER, async (folder) => {
    const assets = join(folder, "assets");
    await mkdir(join(assets, "swagger-ui"), { recursive: true });
    const bundle = await rolldown({ input: join(ROOT, "ui", "client", "main.ts"), platform: "browser" });
    await bundle.write({ file: join(assets, "app.js"), format: "esm", minify: true });
    await bundle.close();
    await writeFile(join(assets, "app.css"), await readFile(join(ROOT, "ui", "app.css")));
    const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
    for (const file of SWAGGER_FILES) await cp(join(swagger, file), join(assets, "swagger-ui", file));
    await cp(join(ROOT, "ui", "_headers"), join(folder, "_headers"));
  });
}
