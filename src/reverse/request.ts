import { z } from "@hono/zod-openapi";
import { refusal } from "../egress/address-guard.ts";
import { countryField, localeField } from "../web/request.ts";

/** Of base64 text and its prefix. */
export const LONGEST_DATA_URL = 15 * 1024 * 1024;

export const LANGUAGES = ["vi", "en"] as const;
/** Of everything that people read. */
export type Language = (typeof LANGUAGES)[number];

/** The search engines fetch the image, not we; but nobody may learn by them what is inside a network. */
export const imageUrlField = z
  .string()
  .max(4_000)
  .superRefine((address, issues) => {
    const reason = URL.canParse(address) ? refusal(new URL(address), { allowHttp: true }) : "is not an absolute URL";
    if (reason !== undefined) issues.addIssue({ code: "custom", message: `must be a public http(s) URL: ${reason}` });
  })
  .openapi({ example: "https://example.org/picture.jpg" });

export const imageDataUrlField = z
  .string()
  .max(LONGEST_DATA_URL)
  .startsWith("data:image/", "must be a data URL of an image")
  .openapi({ example: "data:image/png;base64,iVBORw0KGgo=" });

export const reverseImageSchema = z
  .strictObject({
    image_url: imageUrlField.optional(),
    image_data_url: imageDataUrlField.optional(),
    mode: z
      .enum(["cascade", "multi"])
      .default("multi")
      .describe("`cascade` stops at the first engine that finds anything; `multi` collects from several"),
    country: countryField.optional(),
    locale: localeField.optional(),
    language: z.enum(LANGUAGES).default("vi").describe("Of `summary`"),
  })
  .refine((body) => (body.image_url === undefined) !== (body.image_data_url === undefined), {
    path: ["image_url"],
    message: "either `image_url` or `image_data_url` is needed, not both",
  })
  .openapi("ReverseImageSearch");

export type ReverseImageRequest = z.infer<typeof reverseImageSchema>;
