import { latin1, type Size, u16be, u8 } from "./bytes.ts";
import { orientationIn, readTiffTags } from "./tiff.ts";

/** One marker segment before the first scan; offsets into the file (ITU-T T.81, annex B). */
interface JpegSegment {
  readonly marker: number;
  readonly start: number;
  readonly data: number;
  readonly end: number;
}

export interface JpegHeader {
  readonly segments: readonly JpegSegment[];
  /** Where the entropy-coded data of the first scan begins; `undefined` where the bytes end before it. */
  readonly scan?: number;
}

interface JpegFrame extends Size {
  /** The SOF marker: 0xC0 baseline, 0xC1 extended, 0xC2 progressive; the rest is rare. */
  readonly marker: number;
  readonly precision: number;
  readonly components: number;
}

/** Profiles and metadata in parts of 64 KiB take some hundreds at most. */
const MAX_SEGMENTS = 2000;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP1 = 0xe1;
const APP2 = 0xe2;

export function readJpegHeader(bytes: Uint8Array): JpegHeader {
  const segments: JpegSegment[] = [];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && segments.length < MAX_SEGMENTS) {
    const marker = u8(bytes, at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + u16be(bytes, at + 2);
    if (marker === 0 || standsAlone(marker) || end < at + 4 || end > bytes.length) break;
    segments.push({ marker, start: at, data: at + 4, end });
    if (marker === SOS) return { segments, scan: end };
    at = end;
  }
  return { segments };
}

/** Every frame header before the first scan. A picture has one; decoders differ about which of several they follow. */
export function jpegFrames(bytes: Uint8Array, header: JpegHeader): readonly JpegFrame[] {
  return header.segments
    .filter(({ marker }) => isFrame(marker))
    .map(({ marker, data }) => ({
      marker,
      precision: u8(bytes, data),
      height: u16be(bytes, data + 1),
      width: u16be(bytes, data + 3),
      components: u8(bytes, data + 5),
    }));
}

/** Offset just past the end marker of the first picture; `undefined` where it has none, or begins a second frame. */
export function findJpegEnd(bytes: Uint8Array, scan: number): number | undefined {
  let at = scan;
  while (at < bytes.length) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return undefined;
    const marker = u8(bytes, at + 1);
    if (marker === EOI) return at + 1 < bytes.length ? at + 2 : undefined;
    if (marker === 0xff) at += 1;
    else if (marker === 0 || isRestart(marker)) at += 2;
    else if (isFrame(marker) || standsAlone(marker)) return undefined;
    else at += 2 + Math.max(2, u16be(bytes, at + 2));
  }
  return undefined;
}

/** Exif orientation 1–8; 1 where there is none. */
export function jpegOrientation(bytes: Uint8Array, header: JpegHeader): number {
  const exif = header.segments.find(({ marker, data }) => marker === APP1 && latin1(bytes, data, 6) === "Exif\0\0");
  return exif === undefined ? 1 : orientationIn(readTiffTags(bytes.subarray(exif.data + 6, exif.end)));
}

/** Whether the header has a Multi-Picture Format index (CIPA DC-007): several JPEGs in one file. */
export function isMultiPicture(bytes: Uint8Array, header: JpegHeader): boolean {
  return header.segments.some((segment) => isPictureIndex(bytes, segment));
}

/** The first picture of a Multi-Picture file, without the index: its own bytes, metadata and pixels unchanged. */
export function firstPicture(bytes: Uint8Array, header: JpegHeader, end: number): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const segment of header.segments.filter((each) => isPictureIndex(bytes, each))) {
    parts.push(bytes.subarray(from, segment.start));
    from = segment.end;
  }
  parts.push(bytes.subarray(from, end));
  const picture = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    picture.set(part, at);
    at += part.length;
  }
  return picture;
}

function isPictureIndex(bytes: Uint8Array, { marker, data }: JpegSegment): boolean {
  return marker === APP2 && latin1(bytes, data, 4) === "MPF\0";
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Markers without a length after them. */
function standsAlone(marker: number): boolean {
  return marker === SOI || marker === EOI || marker === 0x01 || isRestart(marker);
}
