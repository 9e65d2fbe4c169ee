import { describe, expect, it } from "vitest";
import { isSilentlyEmpty } from "../../src/providers/serpapi/reverse.ts";
import { outcomeOf, type Row, table } from "./classification-table.ts";
import { RECEIVED_AT, reply } from "./replies.ts";

const page = "<!DOCTYPE html><html><body>Access denied</body></html>";
const success = { search_metadata: { status: "Success" } };
const seconds = (count: number) => ({ retryAfterMs: count * 1000 });

/** What every engine of SerpAPI has in common; `lists` are the members that it answers with. */
function engineRows(lists: readonly string[], item: unknown): readonly Row[] {
  const [first = ""] = lists;
  return [
    ...lists.map((list): Row => [`results in ${list}`, reply(200, { ...success, [list]: [item] }), "hit"]),
    ["a null list", reply(200, { ...success, [first]: null }), "empty"],
    ["items that cannot be followed", reply(200, { ...success, [first]: [null, {}, { link: "x" }] }), "empty"],
    [
      "an error that says that nothing was found",
      reply(200, { ...success, error: "The engine hasn't returned any results for this query." }),
      "empty",
    ],
    ["another error", reply(200, { ...success, error: "We couldn't get valid results." }), "transient"],
    ["status Error", reply(200, { search_metadata: { status: "Error" }, error: "x" }), "transient"],
    ["a list of another type", reply(200, { ...success, [first]: { a: 1 } }), "malformed"],
    ["a wrong key", reply(401, { error: "Invalid API key." }), "auth"],
    ["a used-up plan", reply(429, { error: "Your account has run out of searches." }), "quota"],
    ["the hourly throughput", reply(429, { error: "Hourly throughput limit." }), "rate"],
    ["an internal error", reply(500, "oops"), "transient"],
  ];
}

const item = { title: "T", link: "https://e.test/", original: "https://e.test/x.jpg", source: "https://e.test/" };

table("serpapi", engineRows(["organic_results"], item), "bing");
table("serpapi", engineRows(["organic_results"], item), "baidu");
table("serpapi", engineRows(["images_results"], item), "google_images");
table("serpapi", engineRows(["images_results"], item), "bing_images");
table("serpapi", engineRows(["visual_matches", "exact_matches"], item), "google_lens");
table("serpapi", engineRows(["image_results", "inline_images"], item), "google_reverse_image");
table("serpapi", engineRows(["image_results"], item), "yandex_images");
table("serpapi", engineRows(["pages_with_this_image", "related_content"], item), "bing_reverse_image");
table(
  "serpapi",
  [["matches of text searches", reply(200, { ...success, images_results: [item] }), "empty"]],
  "yandex_images",
);

describe("an empty answer of Google Lens", () => {
  const outcome = (body: object) => outcomeOf("serpapi", reply(200, { ...success, ...body }), "google_lens");

  it("is worth another call where it says nothing at all, and is a plain one where it says so", () => {
    expect(isSilentlyEmpty(outcome({}))).toBe(true);
    expect(isSilentlyEmpty(outcome({ visual_matches: [] }))).toBe(true);
    expect(isSilentlyEmpty(outcome({ error: "Google Lens hasn't returned any results for this query." }))).toBe(false);
    expect(isSilentlyEmpty(outcome({ error: "Something broke." }))).toBe(false);
    expect(isSilentlyEmpty(outcome({ knowledge_graph: [{ title: "T" }] }))).toBe(false);
  });
});

const sauce = (header: object, results: unknown = []) =>
  reply(200, { header: { user_id: "1", status: 0, ...header }, results });
const row = { header: { similarity: "91.30" }, data: { title: "t" } };

table("saucenao", [
  ["results", sauce({}, [row]), "hit"],
  ["results although indexes are down", sauce({ status: 2 }, [row]), "hit"],
  ["results of the last search that was left", sauce({ short_remaining: -1 }, [row]), "hit"],
  ["an empty list", sauce({}), "empty"],
  ["a null list", sauce({}, null), "empty"],
  ["nothing since indexes are down", sauce({ status: 2 }, null), "transient"],
  ["an image that it cannot use", sauce({ status: -3 }), "bad-request"],
  ["an image that it cannot use, in text", sauce({ status: "-3" }), "bad-request"],
  ["a key that it does not know", reply(403, { header: { status: -1 } }), "auth"],
  ["a key that makes nobody of us", sauce({ user_id: "0" }, [row]), "auth"],
  ["a key that makes nobody of us, as a number", sauce({ user_id: 0 }), "auth"],
  ["an image that is too large", reply(413, page), "bad-request"],
  [
    "a used-up day",
    reply(429, { header: { status: -2, message: "Daily Search Limit Exceeded." } }),
    "quota",
    seconds(86_400),
  ],
  ["a used-up half minute", reply(429, { header: { message: "Search Rate Too High." } }), "rate", seconds(30)],
  ["a used-up day in numbers", reply(429, { header: { long_remaining: -1 } }), "quota", seconds(86_400)],
  ["a limit without a word", reply(429, page), "rate", seconds(30)],
  ["a used-up half minute with 200", sauce({ short_remaining: -1 }), "rate", seconds(30)],
  ["a used-up day with 200", sauce({ long_remaining: -3, short_remaining: -1 }), "quota", seconds(86_400)],
  ["an internal error", reply(500, page), "transient"],
  ["no status", reply(200, { header: {}, results: [row] }), "malformed"],
  ["a list of another type", sauce({}, "none"), "malformed"],
  ["a web page", reply(200, page), "malformed"],
]);

const repository = { full_name: "a/b", html_url: "https://github.com/a/b" };
const spent = (count: number) => ({
  "x-ratelimit-remaining": "0",
  "x-ratelimit-reset": String(RECEIVED_AT / 1000 + count),
});

table("github", [
  ["results", reply(200, { items: [repository] }), "hit"],
  ["a part of the results", reply(200, { items: [repository], incomplete_results: true }), "hit"],
  ["nothing", reply(200, { items: [], incomplete_results: false }), "empty"],
  ["nothing since time ran out", reply(200, { items: [], incomplete_results: true }), "transient"],
  ["no list where one is always sent", reply(200, { total_count: 0 }), "malformed"],
  ["a list of another type", reply(200, { items: {} }), "malformed"],
  ["a wrong token", reply(401, { message: "Bad credentials" }), "auth"],
  ["a token that may not search", reply(403, { message: "Resource not accessible" }), "auth"],
  ["a missing User-Agent", reply(403, "Please make sure your request has a User-Agent header"), "blocked"],
  ["the primary limit", reply(403, { message: "API rate limit exceeded" }, spent(20)), "rate", seconds(20)],
  ["the primary limit with 429", reply(429, {}, spent(20)), "rate", seconds(20)],
  ["the secondary limit", reply(403, {}, { "retry-after": "60" }), "rate", seconds(60)],
  ["the secondary limit without a time", reply(403, { message: "a secondary rate limit" }), "rate"],
  ["a query that it does not take", reply(422, { message: "Validation Failed" }), "bad-request"],
  ["an internal error", reply(502, page), "transient"],
  ["a web page", reply(200, page), "malformed"],
]);

const imgbbError = (code: number | string) => reply(400, { status_code: 400, error: { message: "x", code } });

table("imgbb", [
  ["a picture", reply(200, { data: { url: "https://i.ibb.co/a/b.png" }, success: true, status: 200 }), "hit"],
  ["a picture without an address", reply(200, { data: {}, success: true }), "malformed"],
  ["a picture over plain http", reply(200, { data: { url: "http://i.ibb.co/a" }, success: true }), "malformed"],
  ["no success", reply(200, { data: { url: "https://i.ibb.co/a/b.png" }, success: false }), "malformed"],
  ["a wrong key", imgbbError(100), "auth"],
  ["a wrong key, its number as text", imgbbError("100"), "auth"],
  ["no picture", imgbbError(130), "bad-request"],
  ["a picture that cannot be read", imgbbError(310), "bad-request"],
  ["a picture that it does not want", imgbbError(403), "bad-request"],
  ["too many pictures", reply(429, {}, { "retry-after": "9" }), "rate", seconds(9)],
  ["an internal error", reply(500, page), "transient"],
]);
