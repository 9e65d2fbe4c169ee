import { type Context, Hono } from "hono";
import { GITHUB_AGENT_REFUSAL, githubLimits } from "../cases/github.ts";
import { REPOSITORIES } from "../catalogue/repositories.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, isWithin, numberParameter, slice } from "./answering.ts";

/** Of 30 that a client with a token has. */
const ANONYMOUS_PER_MINUTE = 10;
const DEPTH = 1_000;

/** Wire: docs.github.com/rest/search/search. */
export const github = new Hono<SimulatorEnv>();

github.get("/search/repositories", (c) => {
  if ((c.req.header("user-agent") ?? "") === "") return c.text(GITHUB_AGENT_REFUSAL, 403);
  const authorization = c.req.header("authorization");
  if (authorization !== undefined && authorization !== `Bearer ${TEST_KEYS.GITHUB_TOKEN}`) {
    return c.json({ message: "Bad credentials", status: "401" }, 401);
  }
  const limited = limitedAnswer(c, authorization !== undefined);
  if (limited !== undefined) return limited;
  const q = c.req.query("q") ?? "";
  const size = numberParameter(c, "per_page", 30);
  const page = numberParameter(c, "page", 1);
  if (q.trim() === "" || q.length > 256) return invalid(c, "q");
  if (!isWithin(size, 1, 100)) return invalid(c, "per_page");
  if (!isWithin(page * size, size, DEPTH)) {
    return c.json({ message: "Only the first 1000 search results are available" }, 422);
  }
  const all = found(c, REPOSITORIES, q);
  return c.json({
    total_count: all.length,
    incomplete_results: false,
    items: slice(all, (page - 1) * size, size).map(({ title, description, stars, language }, index) => ({
      id: index + 1,
      full_name: title,
      html_url: `https://github.com/${title}`,
      description,
      stargazers_count: stars,
      language,
    })),
  });
});

function limitedAnswer(c: Context<SimulatorEnv>, hasToken: boolean): Response | undefined {
  const now = Date.now();
  const most = hasToken ? undefined : ANONYMOUS_PER_MINUTE;
  const { allowed, limit, remaining, resetSeconds } = c.get("scope").limits.take("github", now, most);
  for (const [name, value] of Object.entries(githubLimits(limit, remaining, Math.floor(now / 1000) + resetSeconds))) {
    c.header(name, value);
  }
  return allowed ? undefined : c.json({ message: "API rate limit exceeded." }, 403);
}

function invalid(c: Context<SimulatorEnv>, field: string): Response {
  return c.json({ message: "Validation Failed", errors: [{ resource: "Search", field, code: "invalid" }] }, 422);
}
