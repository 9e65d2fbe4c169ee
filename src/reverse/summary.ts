import type { ReverseImages, ReverseSource } from "./matches.ts";
import type { Language } from "./request.ts";

const SHOWN_SOURCES = 8;
const SHOWN_SIMILAR = 5;

const WORDS = {
  vi: {
    sources: "Nguồn tìm thấy",
    similar: "Ảnh tương tự",
    results: "kết quả",
    nothing: "🔍 Không tìm thấy kết quả reverse image từ bất kỳ nguồn nào.",
  },
  en: {
    sources: "Sources found",
    similar: "Similar images",
    results: "results",
    nothing: "🔍 No reverse image results from any source.",
  },
} as const satisfies Record<Language, Record<string, string>>;

/** How to write: in which language, and what is done to every text from upstream before it is put into the shape. */
interface Style {
  readonly language: Language;
  clean(text: string): string;
}

/** Markdown of everything that was found, or the line that nothing was. */
export function reverseSummary(images: ReverseImages, style: Style): string {
  const words = WORDS[style.language];
  const { clean } = style;
  const { sources, similar, knowledge } = images;
  const parts: string[] = [];
  if (knowledge !== null) parts.push(`🧠 **Knowledge Graph:** ${clean(knowledge)}`);
  if (sources.length > 0) {
    parts.push(`\n🔍 **${words.sources}** (${sources.length} ${words.results}):\n`);
    parts.push(...sources.slice(0, SHOWN_SOURCES).map((source, index) => sourceItem(source, index, style)));
  }
  if (similar.length > 0) {
    parts.push(`\n🖼️ **${words.similar}** (${similar.length} ${words.results}):`);
    parts.push(
      ...similar
        .slice(0, SHOWN_SIMILAR)
        .map(({ title, url }, index) => `**#${index + 1}** ${clean(title)}\n🔗 ${clean(url)}`),
    );
  }
  return parts.length === 0 ? words.nothing : parts.join("\n\n").trimStart();
}

function sourceItem(source: ReverseSource, index: number, { clean }: Style): string {
  const { title, author, url, similarity, source_engine: engine } = source;
  const match = similarity === null ? "" : ` — ${similarity.toFixed(1)}% match`;
  const by = author === "" ? "" : ` | 🎨 ${clean(author)}`;
  return `**#${index + 1}** [${engine}]${match}${by}\n📌 **${clean(title)}**\n🔗 ${clean(url)}`;
}
