/** What of zod goes into the bundle: all but the error messages in some fifty languages, a quarter of the whole. */
export * from "../node_modules/zod/v4/classic/schemas.js";
export * from "../node_modules/zod/v4/classic/checks.js";
export * from "../node_modules/zod/v4/classic/errors.js";
export * from "../node_modules/zod/v4/classic/parse.js";
export * from "../node_modules/zod/v4/classic/compat.js";
export {
  clone,
  config,
  flattenError,
  globalRegistry,
  NEVER,
  regexes,
  registry,
  treeifyError,
  util,
} from "../node_modules/zod/v4/core/index.js";
export { toJSONSchema } from "../node_modules/zod/v4/core/json-schema-processors.js";
export * as coerce from "../node_modules/zod/v4/classic/coerce.js";
export * as iso from "../node_modules/zod/v4/classic/iso.js";
