import { PhotonImage, resize, SamplingFilter } from "@cf-wasm/photon";
import type { Size } from "./bytes.ts";
import type { Raster } from "./raster.ts";

/** Runs `use` on a picture that is freed afterwards, whatever happens: WASM memory is not garbage-collected. */
export function withImage<T>(image: PhotonImage, use: (image: PhotonImage) => T): T {
  try {
    return use(image);
  } finally {
    image.free();
  }
}

export function photonOf({ pixels, width, height }: Raster): PhotonImage {
  return new PhotonImage(pixels, width, height);
}

export function rasterOf(image: PhotonImage): Raster {
  return { pixels: image.get_raw_pixels(), width: image.get_width(), height: image.get_height() };
}

/** Triangle: sharper filters cost twice as much and ring around hard edges. */
export function scaledRaster(image: PhotonImage, { width, height }: Size): Raster {
  if (image.get_width() === width && image.get_height() === height) return rasterOf(image);
  return withImage(resize(image, width, height, SamplingFilter.Triangle), rasterOf);
}

/** `quality` 1–100. Alpha is dropped. */
export function encodeJpeg(raster: Raster, quality: number): Uint8Array<ArrayBuffer> {
  return withImage(photonOf(raster), (image) => new Uint8Array(image.get_bytes_jpeg(quality)));
}

export function encodePng(raster: Raster): Uint8Array<ArrayBuffer> {
  return withImage(photonOf(raster), (image) => new Uint8Array(image.get_bytes()));
}

/** Lossless: Photon writes no other WebP. */
export function encodeWebp(raster: Raster): Uint8Array<ArrayBuffer> {
  return withImage(photonOf(raster), (image) => new Uint8Array(image.get_bytes_webp()));
}
