import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { ASSETS_FOLDER, replaceFolder, ROOT } from "./folders.ts";

/** Of swagger-ui-dist: what `/docs` needs, and its licenses. */
const SWAGGER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"];

/** Of `ui/styles`, in the order of the cascade. */
const STYLES = ["base", "frame", "pieces", "forms", "home", "batch", "review", "chat"];

/** One script for all pages and one for `/docs`, the style sheets, and the viewer of the API description. Everything comes from our origin. */
export async function buildAssets(): Promise<void> {
  await replaceFolder(ASSETS_FOLDER, async (folder) => {
    const assets = join(folder, "assets");
    await mkdir(join(assets, "swagger-ui"), { recursive: true });
    await bundleScript("main.ts", join(assets, "app.js"));
    await bundleScript("docs.ts", join(assets, "docs.js"));
    const styles = await Promise.all(STYLES.map((name) => readFile(join(ROOT, "ui", "styles", `${name}.css`), "utf8")));
    await writeFile(join(assets, "app.css"), styles.join("\n"));
    await cp(join(ROOT, "ui", "icon.svg"), join(assets, "icon.svg"));
    const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
    for (const file of SWAGGER_FILES) await cp(join(swagger, file), join(assets, "swagger-ui", file));
    await cp(join(ROOT, "ui", "_headers"), join(folder, "_headers"));
  });
}

async function bundleScript(source: string, file: string): Promise<void> {
  const bundle = await rolldown({ input: join(ROOT, "ui", "client", source), platform: "browser" });
  await bundle.write({ file, format: "esm", minify: true });
  await bundle.close();
}
