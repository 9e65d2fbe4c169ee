/** The practical limit of a gateway: one request in, one out, the answer's results handed on. Nothing else. */
import { Hono } from "hono";

interface Settings {
  readonly UPSTREAM: string;
}

interface Answer {
  readonly organic_results: readonly { title: string; link: string; snippet?: string; position: number }[];
}

const app = new Hono<{ Bindings: Settings }>();

app.post("/search", async (c) => {
  const { query } = await c.req.json<{ query: string }>();
  const response = await fetch(`${c.env.UPSTREAM}/search.json?engine=google&q=${encodeURIComponent(query)}`);
  const { organic_results: found } = await response.json<Answer>();
  const results = found.map(({ title, link, snippet, position }) => ({ title, link, snippet, position }));
  return c.json({ success: true, results });
});

export default app;
