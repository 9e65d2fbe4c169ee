/** What a person gives for a batch, as the API takes it. Pure. */

export interface RowInput {
  readonly filename: string;
  readonly query: string;
  readonly required_terms: string;
  readonly orientation: string;
}

export interface BatchOptions {
  readonly save_candidates: boolean;
  readonly concurrency: number;
}

/** Rows of the editor as items. Empty fields are left out, so that the file says what its author said. */
export function bodyOfRows(rows: readonly RowInput[], options: BatchOptions): Record<string, unknown> {
  const items = rows.map(({ filename, query, required_terms: terms, orientation }) => ({
    filename: filename.trim(),
    query: query.trim(),
    ...(terms.trim() === ""
      ? {}
      : {
          required_terms: terms
            .split(",")
            .map((term) => term.trim())
            .filter(Boolean),
        }),
    ...(orientation === "any" ? {} : { orientation }),
    status: "Pending",
  }));
  return { items, options };
}

/** What nobody needs to ask the API about. */
export function emptyFields(rows: readonly RowInput[]): { pointer: string; detail: string }[] {
  return rows.flatMap(({ filename, query }, index) => [
    ...(filename.trim() === ""
      ? [{ pointer: `/items/${index}/filename`, detail: "give it a name, such as alps.jpg" }]
      : []),
    ...(query.trim() === "" ? [{ pointer: `/items/${index}/query`, detail: "say what to search for" }] : []),
  ]);
}

export type ReadText = { readonly body: Record<string, unknown> } | { readonly fault: string };

/** The text of an `image_queries.json`. Options of its own go before those of the form. */
export function bodyOfText(text: string, options: BatchOptions): ReadText {
  if (text.trim() === "") return { fault: "Paste the text of an image_queries.json, or drop the file." };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { fault: `This is not valid JSON: ${error instanceof Error ? error.message : "it does not parse"}` };
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return { fault: "The file must be an object with a list of items." };
  }
  const body = parsed as Record<string, unknown>;
  const own = body["options"];
  const isObject = typeof own === "object" && own !== null && !Array.isArray(own);
  // What is no object is sent as it is: the API says what is wrong with it.
  return { body: { ...body, options: own === undefined ? options : isObject ? { ...options, ...own } : own } };
}

/** Where a fault lies, in words: `Row 2, query`. */
export function pointerWords(pointer: string): string {
  const [first, index, field] = pointer.split("/").slice(1);
  if (first === "items" && index !== undefined && /^\d+$/.test(index)) {
    const words = field === undefined ? "" : `, ${field.replaceAll("_", " ")}`;
    return `Row ${Number(index) + 1}${words}`;
  }
  if (first === "options") return `Options${index === undefined ? "" : `, ${index.replaceAll("_", " ")}`}`;
  return pointer === "" ? "The file" : pointer;
}
