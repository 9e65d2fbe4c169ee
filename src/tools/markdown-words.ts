import type { ToolLanguage } from "./types.ts";

/** The fixed texts of the tools' markdown. `{…}` is filled in. */
export interface Words {
  readonly actual: string;
  readonly realTime: string;
  readonly results: string;
  readonly noResultsFrom: string;
  readonly noImages: string;
  readonly noTitle: string;
  readonly noRepositories: string;
  readonly noReverse: string;
  readonly sauceHeading: string;
  readonly sauceSources: string;
  readonly similar: string;
  readonly author: string;
  readonly unknown: string;
  readonly noLink: string;
  readonly left: string;
  readonly perDay: string;
  readonly noSauce: string;
}

export const WORDS: Readonly<Record<ToolLanguage, Words>> = {
  vi: {
    actual: "Kết quả thực tế",
    realTime: "Kết quả tìm kiếm web (real-time)",
    results: "kết quả",
    noResultsFrom: "Không tìm thấy kết quả từ",
    noImages: "Không tìm thấy ảnh cho",
    noTitle: "(không tiêu đề)",
    noRepositories: "Không tìm thấy repository nào.",
    noReverse: "Không tìm thấy kết quả reverse image từ bất kỳ nguồn nào.",
    sauceHeading: "Kết quả tìm kiếm ảnh",
    sauceSources: "nguồn",
    similar: "tương đồng",
    author: "Tác giả",
    unknown: "Không rõ",
    noLink: "(không có link)",
    left: "Còn lại",
    perDay: "ngày",
    noSauce: "Không tìm thấy kết quả nào trên SauceNAO.",
  },
  en: {
    actual: "Actual results",
    realTime: "Web search results (real-time)",
    results: "results",
    noResultsFrom: "No results from",
    noImages: "No images found for",
    noTitle: "(no title)",
    noRepositories: "No repository found.",
    noReverse: "No reverse image results from any source.",
    sauceHeading: "Image search results",
    sauceSources: "sources",
    similar: "similar",
    author: "Author",
    unknown: "Unknown",
    noLink: "(no link)",
    left: "Left",
    perDay: "day",
    noSauce: "No results on SauceNAO.",
  },
};
