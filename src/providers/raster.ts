/** Which files can become a picture in a deck. Vector drawings, animations, documents and sound cannot. */

const RASTER = new Set(["jpg", "jpeg", "png", "webp", "tif", "tiff"]);
const OTHER_FILES = new Set(
  "svg svgz gif pdf djvu xcf psd ai eps stl mp3 ogg oga opus wav flac mid midi webm ogv mp4 mov avi".split(" "),
);

/** By the last part of a file name or of a URL's path. */
export function hasRasterExtension(name: string): boolean {
  return RASTER.has(extensionOf(name));
}

/** Addresses need no extension at all: only a known other one counts. */
export function hasOtherExtension(name: string): boolean {
  return OTHER_FILES.has(extensionOf(name));
}

export function isRasterType(mime: string): boolean {
  return /^image\/(?:jpe?g|pjpeg|png|webp|tiff?)$/i.test(mime.trim());
}

/** For a bare extension as upstream names a file type: `jpg`. */
export function isRasterExtension(extension: string): boolean {
  return RASTER.has(extension.toLowerCase());
}

function extensionOf(name: string): string {
  const path = URL.canParse(name) ? new URL(name).pathname : name;
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
}
