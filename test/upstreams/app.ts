import { Hono } from "hono";
import { applyFault } from "./apply-fault.ts";
import { control } from "./control.ts";
import { record } from "./record.ts";
import { Scopes, scopeOfPath } from "./scope.ts";
import type { SimulatorEnv } from "./simulator-env.ts";
import { brave } from "./wire/brave.ts";
import { chat } from "./wire/chat.ts";
import { gemini, geminiRedirects } from "./wire/gemini.ts";
import { github } from "./wire/github.ts";
import { googleCse } from "./wire/google-cse.ts";
import { imgbb } from "./wire/imgbb.ts";
import { odd } from "./wire/odd.ts";
import { openverse } from "./wire/openverse.ts";
import { pages } from "./wire/pages.ts";
import { pexels } from "./wire/pexels.ts";
import { pictures } from "./wire/pictures.ts";
import { pixabay } from "./wire/pixabay.ts";
import { saucenao } from "./wire/saucenao.ts";
import { searxng } from "./wire/searxng.ts";
import { serpapi } from "./wire/serpapi.ts";
import { serper } from "./wire/serper.ts";
import { tavily } from "./wire/tavily.ts";
import { webhooks } from "./wire/webhooks.ts";
import { commons } from "./wire/commons.ts";
import { wikimediaFiles } from "./wire/wikimedia-files.ts";
import { wikipedia } from "./wire/wikipedia.ts";

/** Every upstream as seen through a forward proxy: `https://host/path` is asked for as `[/__scope/name]/host/path`. */
export function buildApp(): Hono<SimulatorEnv> {
  const scopes = new Scopes();
  const app = new Hono<SimulatorEnv>({ getPath: (request) => scopeOfPath(new URL(request.url).pathname).rest });
  app.use(async (c, next) => {
    c.set("scope", scopes.get(scopeOfPath(new URL(c.req.url).pathname).scope));
    c.set("findNothing", false);
    c.set("cutByUs", false);
    await next();
  });
  app.route("/", control);
  app.use(record);
  app.use(applyFault);
  app.route("/serpapi.com", serpapi);
  app.route("/www.googleapis.com", googleCse);
  app.route("/google.serper.dev", serper);
  app.route("/api.search.brave.com", brave);
  app.route("/searx.example", searxng);
  app.route("/", wikipedia);
  app.route("/api.pexels.com", pexels);
  app.route("/pixabay.com", pixabay);
  app.route("/api.openverse.org", openverse);
  app.route("/commons.wikimedia.org", commons);
  app.route("/saucenao.com", saucenao);
  app.route("/api.github.com", github);
  app.route("/api.imgbb.com", imgbb);
  app.route("/upload.wikimedia.org", wikimediaFiles);
  app.route("/thumb.wikimedia.org", wikimediaFiles);
  app.route("/generativelanguage.googleapis.com", gemini);
  app.route("/vertexaisearch.cloud.google.com", geminiRedirects);
  app.route("/api.tavily.com", tavily);
  app.route("/chat.example", chat);
  app.route("/webhooks.example", webhooks);
  app.route("/odd.example", odd);
  app.route("/", pictures);
  app.route("/", pages);
  app.notFound((c) =>
    c.get("upstream") === "unknown"
      ? c.text(`The simulator knows no host ${c.req.path.split("/")[1]}.\n`, 502)
      : c.text("404 page not found\n", 404),
  );
  app.onError((error, c) => c.text(`The simulator failed: ${error.stack ?? error.message}\n`, 500));
  return app;
}
