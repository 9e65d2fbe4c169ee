/** CIPA DC-007, Multi-Picture Format: two JPEGs, the first with an index in an APP2 segment. */
const INDEX_BYTES = 8 + 2 + 3 * 12 + 4 + 2 * 16;
const SEGMENT_BYTES = 2 + 2 + 4 + INDEX_BYTES;
/** Baseline picture, representative image. */
const PRIMARY_ATTRIBUTE = 0x2003_0000;

/** One file of both pictures, as phones write it. */
export function mpo(first: Uint8Array, second: Uint8Array): Uint8Array {
  // The index stands right behind the JFIF segment.
  const at = 2 + 2 + (first[4]! << 8) + first[5]!;
  const firstBytes = first.byteLength + SEGMENT_BYTES;
  const segment = Buffer.alloc(SEGMENT_BYTES);
  segment.writeUInt16BE(0xffe2, 0);
  segment.writeUInt16BE(SEGMENT_BYTES - 2, 2);
  segment.write("MPF\0", 4, "latin1");
  // Offsets count from the byte-order mark.
  const base = at + 8;
  index(segment.subarray(8), firstBytes, second.byteLength, firstBytes - base);
  return Buffer.concat([first.subarray(0, at), segment, first.subarray(at), second]);
}

function index(target: Buffer, firstBytes: number, secondBytes: number, secondOffset: number): void {
  target.write("MM", 0, "latin1");
  target.writeUInt16BE(42, 2);
  target.writeUInt32BE(8, 4);
  target.writeUInt16BE(3, 8);
  entry(target, 10, 0xb000, 7, 4);
  target.write("0100", 18, "latin1");
  entry(target, 22, 0xb001, 4, 1);
  target.writeUInt32BE(2, 30);
  entry(target, 34, 0xb002, 7, 32);
  target.writeUInt32BE(50, 42);
  target.writeUInt32BE(0, 46);
  target.writeUInt32BE(PRIMARY_ATTRIBUTE, 50);
  target.writeUInt32BE(firstBytes, 54);
  target.writeUInt32BE(secondBytes, 70);
  target.writeUInt32BE(secondOffset, 74);
}

function entry(target: Buffer, at: number, tag: number, type: number, count: number): void {
  target.writeUInt16BE(tag, at);
  target.writeUInt16BE(type, at + 2);
  target.writeUInt32BE(count, at + 4);
}
