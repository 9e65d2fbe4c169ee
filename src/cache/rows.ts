/**
 * What kept results must be. The bucket is ours, but whoever can write to it must not be able to put more than results
 * before a caller, so every address is checked to be one.
 */
import { z } from "zod";
import type {
  ImageResult,
  LicensedImage,
  Repository,
  ReverseFinding,
  WebAnswer,
  WebResult,
} from "../providers/types.ts";

const address = z.string().regex(/^https?:\/\//);
const addressOrNone = z.union([z.literal(""), address]);
const pixels = z.number().min(0);

export const webRows: z.ZodType<WebResult> = z.object({
  title: z.string(),
  link: address,
  snippet: z.string(),
  source: z.string(),
  date: z.string().exactOptional(),
});

export const imageRows: z.ZodType<ImageResult> = z.object({
  title: z.string(),
  imageUrl: address,
  thumbnailUrl: addressOrNone,
  width: pixels.exactOptional(),
  height: pixels.exactOptional(),
  link: addressOrNone,
  source: z.string(),
});

export const licensedRows = z.object({
  provider: z.enum(["pexels", "pixabay", "openverse", "wikimedia"]),
  assetId: z.string(),
  title: z.string(),
  author: z.string(),
  sourcePageUrl: addressOrNone,
  downloadUrl: address,
  previewUrl: addressOrNone,
  width: pixels,
  height: pixels,
  fetchable: z.object({ width: pixels, height: pixels }).exactOptional(),
  license: z.object({ name: z.string(), version: z.string().exactOptional(), url: z.string() }),
}) satisfies z.ZodType<LicensedImage>;

export const repositoryRows: z.ZodType<Repository> = z.object({
  name: z.string(),
  description: z.string(),
  stars: z.number(),
  language: z.string(),
  url: address,
});

export const findingRows: z.ZodType<ReverseFinding> = z.object({
  matches: z.array(
    z.object({
      title: z.string(),
      link: addressOrNone,
      source: z.string(),
      snippet: z.string().exactOptional(),
      author: z.string().exactOptional(),
      thumbnailUrl: addressOrNone.exactOptional(),
      similarity: z.number().exactOptional(),
      exact: z.literal(true).exactOptional(),
      price: z.string().exactOptional(),
      links: z.array(address).exactOptional(),
    }),
  ),
  total: z.number(),
  knowledge: z.object({ title: z.string(), description: z.string() }).exactOptional(),
  remaining: z.object({ short: z.number(), long: z.number() }).exactOptional(),
});

export const answerRows: z.ZodType<WebAnswer> = z.object({
  text: z.string(),
  sources: z.array(z.object({ title: z.string(), url: address, snippet: z.string() })),
  queries: z.array(z.string()),
  suggestions: z.string().exactOptional(),
});
