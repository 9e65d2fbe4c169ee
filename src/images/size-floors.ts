import type { Candidate } from "./candidate.ts";
import type { ImageRequest } from "./request.ts";

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Smallest picture that a search may choose, in pixels; a person may choose a smaller one. */
export const MIN_AREA = 480_000;

const LONG = 1_200;
const SHORT = 800;
const SIDE = 1_000;

const DEFAULTS: Readonly<Record<ImageRequest["orientation"], readonly [Size, ...Size[]]>> = {
  landscape: [{ width: LONG, height: SHORT }],
  portrait: [{ width: SHORT, height: LONG }],
  square: [{ width: SIDE, height: SIDE }],
  any: [
    { width: LONG, height: SHORT },
    { width: SHORT, height: LONG },
  ],
};

type FloorRequest = Pick<ImageRequest, "orientation" | "minWidth" | "minHeight">;

/** The floors of which one must be met. A floor that the request names stands as it is and does not turn. */
export function sizeFloors({ orientation, minWidth, minHeight }: FloorRequest): readonly [Size, ...Size[]] {
  const [first, ...turned] = DEFAULTS[orientation];
  if (minWidth === undefined && minHeight === undefined) return [first, ...turned];
  return [{ width: minWidth ?? first.width, height: minHeight ?? first.height }];
}

/** The pixels that a download will bring: less than claimed where the provider is known to hold back. */
export function fetchableSize({ width, height, fetchable }: Pick<Candidate, "width" | "height" | "fetchable">): Size {
  return fetchable ?? { width, height };
}

export function isKnown({ width, height }: Size): boolean {
  return width > 0 && height > 0;
}

/** For a measured picture; `area` is the smallest count of pixels, 0 for pictures that a person chose. */
export function meetsFloors({ width, height }: Size, request: FloorRequest, area: number): boolean {
  if (width * height < area) return false;
  return sizeFloors(request).some((floor) => width >= floor.width && height >= floor.height);
}

/** Sides under the floor that fits best: 0, 1 or 2. An unknown side counts as short. */
export function shortSides({ width, height }: Size, request: FloorRequest): number {
  return Math.min(...sizeFloors(request).map((floor) => Number(width < floor.width) + Number(height < floor.height)));
}
