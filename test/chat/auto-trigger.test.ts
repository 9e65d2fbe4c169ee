import { describe, expect, it } from "vitest";
import { decideSearch, type TriggerInput } from "../../src/chat/auto-trigger.ts";
import { IMAGE_PATTERNS, REALTIME_WORDS_EN, REALTIME_WORDS_VI, SEARCH_WORDS } from "../../src/chat/trigger-words.ts";

/** The words that chats have always searched for, written out here: none may get lost. */
const PROMISED = {
  search: "tìm, search, tra cứu, look up, google, tìm kiếm, find, tìm giúp, check",
  vietnamese:
    "giá, tỷ giá, thời tiết, tin tức, mới nhất, hiện tại, hôm nay, bây giờ, mấy giờ, ngày bao nhiêu, lịch, kết quả, " +
    "tỉ số, xổ số, chứng khoán, cổ phiếu, bitcoin, crypto, coin, vàng, USD, bao nhiêu tiền, review, đánh giá, " +
    "so sánh, nên mua, mua ở đâu, ở đâu, địa chỉ, số điện thoại, sự kiện, lịch trình, cập nhật, phiên bản mới, " +
    "ra mắt, release, công bố, thông báo, biểu đồ, chart, benchmark, xếp hạng model, so sánh model, hiệu năng model",
  english:
    "price, weather, news, latest, current, today, right now, stock, bitcoin, crypto, gold price, exchange rate, " +
    "how much, review, compare, where to buy, address, phone number, schedule, update, new version, release, " +
    "announcement, score, result, ranking, trending, chart, graph, benchmark, model comparison, leaderboard",
  image:
    "tìm nguồn, tìm ảnh, nguồn ảnh, tìm gốc, reverse image, find source, image source, where is this, tìm tác giả, " +
    "ai vẽ, tác giả, author, original, find this image, ảnh này từ đâu, ảnh gốc, tìm kiếm ảnh",
};

function decide(message: string, more: Partial<TriggerInput> = {}) {
  return decideSearch({ message, tools: [], mode: "auto", hasImage: false, ...more });
}

describe("every listed word triggers in a plain sentence", () => {
  it.each([...SEARCH_WORDS, ...REALTIME_WORDS_VI])("Vietnamese: %s", (word) => {
    const { search, reasons } = decide(`Cho tôi biết ${word} nhé`);
    expect(search).toBe(true);
    expect(reasons.length).toBeGreaterThan(0);
  });

  it.each([...SEARCH_WORDS, ...REALTIME_WORDS_EN])("English: %s", (word) => {
    expect(decide(`Please tell me, ${word} gold.`).search).toBe(true);
    expect(decide(`${word.toUpperCase()} gold`).search).toBe(true);
  });

  it.each(IMAGE_PATTERNS)("with an image: %s", (pattern) => {
    expect(decide(`Bạn ơi ${pattern}, cảm ơn`, { hasImage: true }).reverseImage).toBe(true);
    expect(decide(`Bạn ơi ${pattern}, cảm ơn`).reverseImage).toBe(false);
  });
});

describe("no promised word is missing", () => {
  it.each(`${PROMISED.search}, ${PROMISED.vietnamese}, ${PROMISED.english}`.split(", "))("%s", (word) => {
    expect(decide(`Cho tôi biết ${word} nhé`).search).toBe(true);
    expect(decide(`Please tell me: ${word}?`).search).toBe(true);
  });

  it.each(PROMISED.image.split(", "))("with an image: %s", (pattern) => {
    expect(decide(`${pattern}?`, { hasImage: true }).reverseImage).toBe(true);
  });
});

describe("words that only look like a trigger", () => {
  it.each([
    "Summarize the findings of the paper",
    "Style a checkbox with CSS",
    "What a coincidence",
    "Use an underscore in the name",
    "It rained, and as a result the ground is wet",
    "Explain concurrent programming",
    "Explain SQL UPDATE to a beginner",
    "How does SQL UPDATE work?",
    "What is a memory address?",
    "When must I release the lock?",
    "This is priceless",
    "Write a newsletter for my bakery",
    "A poem about livestock",
    "Implement compareTo in Java",
    "My research is on bees",
    "How does binary search work?",
    "Write a preview of the next chapter",
    "Viết bài về giáo viên",
    "Giám đốc của tôi rất tốt",
    "Kể về lịch sử nước ta",
    "Tôi thích du lịch",
    "Vẽ hoa màu vàng",
    "Tôi muốn tìm hiểu toán",
    "Giả sử x bằng hai",
    "Tim is my brother",
    "array.find(x) and list.update(y)",
    "Gia dinh toi co bon nguoi",
  ])("%s", (message) => {
    expect(decide(message).search).toBe(false);
  });
});

describe("messages that a plain list misses", () => {
  it.each([
    "1 USD",
    "gia vang hom nay",
    "giá vàng hôm nay".normalize("NFD"),
    "thời tiết".normalize("NFD"),
    "who won the euro",
    "who is the prime minister",
    "What is the best laptop?",
    "stock prices",
  ])("%s", (message) => {
    expect(decide(message).search).toBe(true);
  });
});

describe("what is not the writer's own wish", () => {
  it.each([
    "Explain this:\n```js\nsearch(today, price)\nconst news = latest;\n```",
    "Explain this:\n~~~\nthe latest news\n~~~\nthanks",
    "Explain this:\n```\nthe latest news, never closed",
    "What does `search` mean here",
    'Translate "the latest news" into French',
    "Translate “giá vàng hôm nay” into English",
    "Translate 'what is the price' into French",
    "> the weather today\nRewrite that line",
    "Shorten https://example.com/search?q=latest+news for me",
  ])("%s", (message) => {
    expect(decide(message).search).toBe(false);
  });

  it("leaves what stands beside it", () => {
    expect(decide("What's the price of `foo` today, don't guess").search).toBe(true);
    expect(decide('search for "blue whale"').search).toBe(true);
  });
});

describe("a wish not to search", () => {
  it.each([
    "Don't search, what is the price of gold today?",
    "do not search the web: latest news",
    "Please don’t google it, who won the euro",
    "Answer without searching: weather today",
    "No need to look it up, current president",
    "no web search please, bitcoin price",
    "Đừng tìm trên mạng, giá vàng hôm nay",
    "Không cần tra cứu, thời tiết thế nào",
    "đừng có search, tỷ giá USD",
    "Khong can tim, gia vang hom nay",
  ])("%s", (message) => {
    const { search, reasons } = decide(message);
    expect(search).toBe(false);
    expect(reasons).toMatchObject([{ rule: "negation" }]);
  });

  it.each([
    "Don't forget to search for flights",
    "Why don't you search for it",
    "I could not find it, search again",
    "Tôi không tìm thấy, tìm giúp tôi",
  ])("is not in: %s", (message) => {
    expect(decide(message).search).toBe(true);
  });

  it("holds for the image as well", () => {
    expect(decide("don't search, just say who is the author", { hasImage: true }).reverseImage).toBe(false);
  });
});

describe("modes and tools", () => {
  it("`always` and `never` leave nothing to the words", () => {
    expect(decide("a poem about rain", { mode: "always" }).search).toBe(true);
    expect(decide("don't search", { mode: "always" }).search).toBe(true);
    expect(decide("the latest news", { mode: "never" }).search).toBe(false);
    expect(decide("find source", { mode: "never", hasImage: true }).reverseImage).toBe(false);
  });

  it.each(["google-search", "deep-research"])("%s wins over everything", (tool) => {
    for (const mode of ["auto", "never"] as const) {
      const { search, reasons } = decide("don't search", { tools: [tool], mode });
      expect(search).toBe(true);
      expect(reasons[0]).toMatchObject({ rule: "explicit-tool", match: tool });
    }
  });

  it("asks for the picture's origin and not for the words that do", () => {
    expect(decide("find source", { hasImage: true })).toMatchObject({ search: false, reverseImage: true });
  });

  it("names each reason once with what it adds to the score", () => {
    const { score, reasons } = decide("gia vang, gia vang");
    expect(reasons).toEqual([
      { rule: "realtime-word", match: "giá", score: 0.5 },
      { rule: "realtime-word", match: "vàng", score: 0.5 },
    ]);
    expect(score).toBe(1);
  });
});
