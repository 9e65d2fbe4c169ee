import { plainText } from "./text.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON object, else nothing: arrays and scalars are no objects here. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Plain text of a string or a number; empty for everything else. */
export function textOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? plainText(value) : "";
}

/** The first that is not empty, else empty. */
export function firstText(...values: readonly unknown[]): string {
  return values.map(textOf).find((text) => text !== "") ?? "";
}

/** An absolute http(s) URL without credentials, as upstream wrote it where that is clean; else empty. */
export function httpUrl(value: unknown): string {
  if (typeof value !== "string") return "";
  const written = value.trim();
  const absolute = written.startsWith("//") ? `https:${written}` : written;
  if (!/^https?:\/\//i.test(absolute)) return "";
  const url = URL.parse(absolute);
  if (url === null) return "";
  if (url.username !== "" || url.password !== "") return "";
  // The parser forgives spaces, line breaks and invisible characters; whoever reads the text may not.
  return /[\s\p{Cc}\p{Cf}\p{Cs}<>"\\^`{|}]/u.test(absolute) ? url.href : absolute;
}

/** The first usable URL, else empty. */
export function firstUrl(...values: readonly unknown[]): string {
  return values.map(httpUrl).find((url) => url !== "") ?? "";
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

/** Whole pixels; 0 where upstream says nothing; `undefined` where what it says is no size. */
export function pixelsOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === "") return 0;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(Math.trunc(number)) || number < 0) return undefined;
  return Math.trunc(number);
}

/** Width and height where both are known. */
export function sizeOf(width: unknown, height: unknown): { width: number; height: number } | Record<string, never> {
  const size = { width: pixelsOf(width) ?? 0, height: pixelsOf(height) ?? 0 };
  return size.width > 0 && size.height > 0 ? size : {};
}

/** A number that may come as text; `undefined` where it is none. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
