/** The script of `/docs`: the viewer over this deployment's own description. */

export interface Viewer {
  (options: Readonly<Record<string, unknown>>): unknown;
}

declare global {
  interface Window {
    /** Of swagger-ui-dist, loaded before this script. */
    SwaggerUIBundle: Viewer;
  }
}

const response = await fetch("/openapi.json");
const spec = (await response.json()) as Record<string, unknown>;
window.SwaggerUIBundle({
  domNode: document.getElementById("docs"),
  // The page may reach its own origin only, under whatever name it was opened.
  spec: { ...spec, servers: [{ url: location.origin }] },
  validatorUrl: null,
  queryConfigEnabled: false,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  displayRequestDuration: true,
});
