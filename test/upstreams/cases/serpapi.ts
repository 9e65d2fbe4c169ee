import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

/** Wire: serpapi.com/api-status-and-error-codes. */
export function serpapiCases({ key }: CaseFacts): FaultCase[] {
  const success = { id: "65f0a1", status: "Success", total_time_taken: 0.81 };
  return [
    jsonCase("no-results", 200, "empty", {
      search_metadata: success,
      search_information: { organic_results_state: "Fully empty" },
      error: "Google hasn't returned any results for this query.",
    }),
    jsonCase("no-lists", 200, "empty", { search_metadata: success, search_parameters: { engine: "google" } }),
    jsonCase("status-error-200", 200, "transient", {
      search_metadata: { ...success, status: "Error" },
      error: `We couldn't get valid results for this search (api_key=${key}).`,
    }),
    jsonCase("status-error-503", 503, "transient", {
      search_metadata: { ...success, status: "Error" },
      error: "The search took too long.",
    }),
    jsonCase("missing-query", 400, "bad-request", { error: `Missing query \`q\` parameter. (api_key=${key})` }),
    jsonCase("invalid-key", 401, "auth", {
      error: `Invalid API key ${key}. Your API key should be here: https://serpapi.com/manage-api-key?api_key=${key}`,
    }),
    jsonCase("account-deleted", 403, "auth", { error: `The account of the key ${key} was deleted.` }),
    jsonCase("no-permission", 403, "auth", { error: "This account has no permission to use this engine." }),
    jsonCase("archive-not-found", 404, "bad-request", { error: "The search was not found in the archive." }),
    jsonCase("archive-gone", 410, "bad-request", { error: "The search has expired and was deleted." }),
    jsonCase("run-out-of-searches", 429, "quota", {
      error: `Your account has run out of searches. (api_key=${key})`,
    }),
    jsonCase("searches-run-out", 429, "quota", { error: "The searches of your plan have run out." }),
    jsonCase("hourly-throughput", 429, "rate", {
      error: `You have reached the hourly throughput limit of your plan. (api_key=${key})`,
    }),
    jsonCase("internal-error", 500, "transient", { error: `Internal error for api_key=${key}` }),
    htmlCase("unavailable", 503, "transient", "503 Service Temporarily Unavailable"),
  ];
}
