import type { WebImage } from "../catalogue/web-images.ts";
import { knowledgeOf } from "../catalogue/knowledge.ts";
import { showing } from "../showing.ts";

/** A section of an answer; engines leave out those that have nothing. */
export type Sections = Record<string, unknown>;

/** Wire: serpapi.com/google-lens-api. */
export function lensSections(imageUrl: string): Sections {
  const shown = showing(imageUrl);
  if (shown === undefined) return {};
  const { same, others } = shown;
  return sections({
    exact_matches: same.map((image, index) => ({ ...row(image, index), actual_image_width: image.picture.width })),
    visual_matches: [...same, ...others].map((image, index) => ({
      ...row(image, index),
      source_icon: `https://${new URL(image.pageUrl).host}/favicon.ico`,
      thumbnail: image.thumbnailUrl,
      image: image.imageUrl,
      image_width: image.picture.width,
      image_height: image.picture.height,
      ...(index === 2 ? { price: { value: "$260*", extracted_value: 260, currency: "$" }, in_stock: true } : {}),
    })),
    knowledge_graph: knowledgeIn([...same, ...others]),
  });
}

/** Wire: serpapi.com/google-reverse-image. */
export function reverseSections(imageUrl: string): Sections {
  const shown = showing(imageUrl);
  if (shown === undefined) return {};
  const images = [...shown.same, ...shown.others];
  return sections({
    image_results: images.slice(0, 10).map((image, index) => ({
      ...row(image, index),
      snippet: `${image.picture.width} × ${image.picture.height} - ${image.title}`,
    })),
    inline_images: images.slice(0, 10).map((image) => ({
      link: image.pageUrl,
      source: image.source,
      thumbnail: image.thumbnailUrl,
      original: image.imageUrl,
      title: image.title,
    })),
    // One object here, a list with Lens.
    knowledge_graph: knowledgeIn(images)?.[0],
  });
}

/** Wire: serpapi.com/yandex-images-api, by image. */
export function yandexSections(imageUrl: string): Sections {
  const shown = showing(imageUrl);
  if (shown === undefined) return {};
  const images = [...shown.others, ...shown.same];
  return sections({
    image_sizes: shown.same.map(({ imageUrl: link, picture: { width, height } }) => ({ link, width, height })),
    similar_images: images.map(({ imageUrl: image, pageUrl: link }) => ({ link, image })),
    image_results: images.slice(0, 12).map((image) => ({
      title: image.title,
      link: image.pageUrl,
      source: new URL(image.pageUrl).host,
      snippet: image.tags.join(", "),
      thumbnail: { link: image.thumbnailUrl, width: 240, height: 160 },
      original_image: { link: image.imageUrl, width: image.picture.width, height: image.picture.height },
    })),
  });
}

/** Wire: serpapi.com/bing-reverse-image-api. */
export function bingReverseSections(imageUrl: string): Sections {
  const shown = showing(imageUrl);
  if (shown === undefined) return {};
  return sections({
    pages_with_this_image: shown.same.map((image, index) => ({
      ...row(image, index),
      thumbnail: image.thumbnailUrl,
      original: image.imageUrl,
    })),
    related_content: shown.others.map((image, index) => ({
      position: index + 1,
      title: image.title,
      link: `https://www.bing.com/images/search?view=detailV2&id=${index + 1}`,
      source: image.pageUrl,
      domain: new URL(image.pageUrl).host,
      thumbnail: image.thumbnailUrl,
      original: image.imageUrl,
    })),
  });
}

function row(image: WebImage, index: number): Sections {
  return { position: index + 1, title: image.title, link: image.pageUrl, source: image.source };
}

function knowledgeIn([image]: readonly WebImage[]): readonly unknown[] | undefined {
  const knowledge = image === undefined ? undefined : knowledgeOf(image.picture.photograph);
  return knowledge === undefined ? undefined : [knowledge];
}

function sections(all: Sections): Sections {
  return Object.fromEntries(
    Object.entries(all).filter(
      ([, section]) => section !== undefined && !(Array.isArray(section) && section.length === 0),
    ),
  );
}
