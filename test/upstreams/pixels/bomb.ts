import { crc32, deflateSync } from "node:zlib";

const SIDE = 20_000;
let made: Uint8Array<ArrayBuffer> | undefined;

/** A valid PNG of about 48 KB that decodes to 20000×20000 pixels. */
export function pngBomb(): Uint8Array<ArrayBuffer> {
  made ??= makeBomb();
  return made;
}

function makeBomb(): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, SIDE);
  header.setUint32(4, SIDE);
  // One bit a pixel, gray.
  header.setUint8(8, 1);
  const rows = Buffer.alloc((1 + Math.ceil(SIDE / 8)) * SIDE);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk("IHDR", Buffer.from(header.buffer)),
      chunk("IDAT", deflateSync(rows, { level: 9 })),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

/** One chunk of a PNG; libpng.org/pub/png/spec/1.2/PNG-Structure.html. */
function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
