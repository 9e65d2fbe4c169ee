import type { FuzzRequest } from "./requests.ts";

/** What the fuzzer found once, and the answer that it has now. */
export const CORPUS: readonly { readonly name: string; readonly request: FuzzRequest; readonly status: number }[] = [];
