import { makeReviewSheet, type SheetCell } from "../src/pixels/sheet.ts";

/** Kept between requests, so that a round measures the sheet and not the upload. */
let cells: readonly SheetCell[] = [];

/** `PUT /` takes cells as JSON with base64 pictures; `POST /` makes one sheet of them and answers its length. */
export default {
  async fetch(request) {
    if (request.method === "PUT") {
      const sent = await request.json<(Omit<SheetCell, "image"> & { image: string })[]>();
      cells = sent.map((cell) => ({ ...cell, image: Uint8Array.fromBase64(cell.image) }));
      return new Response(null, { status: 204 });
    }
    return Response.json({ bytes: makeReviewSheet(cells).jpeg.byteLength });
  },
} satisfies ExportedHandler;
