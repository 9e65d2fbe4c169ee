import type { Context } from "hono";
import { USER_AGENT_REFUSAL } from "../cases/mediawiki.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { namesContact, numberParameter } from "./answering.ts";

type Call = Context<SimulatorEnv>;

const LARGEST_PAGE = 50;
const LONGEST_SEARCH_BYTES = 300;

/** What every call of the Action API must have; mediawiki.org/wiki/API:Main_page. */
export function actionRefusal(c: Call): Response | undefined {
  if (!namesContact(c)) return c.text(USER_AGENT_REFUSAL, 403);
  if (c.req.query("format") !== "json")
    return c.html("<!DOCTYPE html><html><body>MediaWiki API result</body></html>\n");
  if (c.req.query("action") !== "query")
    return mediawikiError(c, "badvalue", "Unrecognized value for parameter action.");
  return undefined;
}

/** An error of the Action API, which comes with status 200. */
export function mediawikiError(c: Call, code: string, info: string): Response {
  const docref = `See https://${c.req.path.split("/")[1]}/w/api.php for API usage.`;
  return c.json({ error: { code, info, docref } }, 200, { "mediawiki-api-error": code });
}

/** The search part of a call. Too large a page is cut, with a warning; too long a text is an error. */
export function searchParameters(
  c: Call,
  prefix: "sr" | "gsr",
): { text: string; limit: number; offset: number; warnings: Record<string, unknown> } | { error: Response } {
  const text = c.req.query(`${prefix}search`) ?? "";
  if (text === "") return { error: mediawikiError(c, "missingparam", `The "${prefix}search" parameter must be set.`) };
  if (new TextEncoder().encode(text).byteLength > LONGEST_SEARCH_BYTES) {
    return { error: mediawikiError(c, "search-text-too-long", "The search is longer than 300 bytes.") };
  }
  const limit = numberParameter(c, `${prefix}limit`, 10);
  const offset = numberParameter(c, `${prefix}offset`, 0);
  if (!(limit >= 1) || !(offset >= 0)) {
    return { error: mediawikiError(c, "badinteger", "Invalid value for an integer parameter.") };
  }
  const warning = `"${prefix}limit" may not be over ${LARGEST_PAGE} (set to ${limit}) for users.`;
  return {
    text,
    limit: Math.min(limit, LARGEST_PAGE),
    offset,
    warnings: limit > LARGEST_PAGE ? { warnings: { search: { warnings: warning } } } : {},
  };
}
