import { QUERIES as PICTURED } from "../crash/batch-rows.ts";

/** Those of the batches, one in another script, and one that is no good to anybody. */
export const QUERIES: readonly string[] = [...PICTURED, "解放碑", "<script>alert(1)</script> \u202e zzqqxxyy"];
