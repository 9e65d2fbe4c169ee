/**
 * What may be decoded. Photon keeps about 13 MiB of WASM memory for every megapixel it has ever held at once and never
 * gives it back, and an isolate has 128 MiB for everything.
 */
export const MAX_DECODED_PIXELS = 4_000_000;

/** A picture within the pixel budget is rarely larger; its bytes are held twice while it is decoded. */
export const MAX_DECODED_BYTES = 10 * 1024 * 1024;
