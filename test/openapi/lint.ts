import { createRequire } from "node:module";

// As Node loads it: through vite every file of it would be named in a warning.
const { createConfig, lintFromString } = createRequire(import.meta.url)(
  "@redocly/openapi-core",
) as typeof import("@redocly/openapi-core");

/** Anybody may read these, and there is nothing to refuse. */
const NOTHING_TO_REFUSE = ["/healthz", "/openapi.json", "/docs"];

/** What Redocly finds in a description, one line each; none where all is well. */
export async function lintDocument(text: string): Promise<string[]> {
  const config = await createConfig({
    extends: ["spec", "recommended"],
    rules: {
      "operation-operationId": "error",
      "operation-operationId-unique": "error",
      "operation-2xx-response": "error",
      "operation-summary": "error",
      "operation-tag-defined": "error",
      "tag-description": "error",
      "security-defined": "error",
      "no-unused-components": "error",
      "no-unresolved-refs": "error",
      "no-ambiguous-paths": "error",
      "no-invalid-media-type-examples": "error",
      "no-invalid-schema-examples": "error",
      "no-invalid-parameter-examples": "error",
      "no-duplicated-tag-names": "error",
      "operation-4xx-response": "error",
      // Where a deployment has no PUBLIC_URL the server is this one; a developer's own is on localhost.
      "no-server-example.com": "off",
    },
  });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  return problems
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? "the document"})`)
    .filter(
      (line) => !NOTHING_TO_REFUSE.some((path) => line.includes(`4xx-response`) && line.includes(pointerOf(path))),
    );
}

function pointerOf(path: string): string {
  return `#/paths/${path.replaceAll("/", "~1")}/`;
}
