/** What in a message asks for a search, by kind. Accented as written; `message-text.ts` matches unaccented typing too. */

/** The message says in so many words that something is to be searched. */
export const SEARCH_WORDS: readonly string[] = [
  "tìm",
  "search",
  "tra cứu",
  "look up",
  "google",
  "tìm kiếm",
  "find",
  "tìm giúp",
  "check",
];

/** What changes from day to day, Vietnamese; the borrowed words that Vietnamese writers use stand here as well. */
export const REALTIME_WORDS_VI: readonly string[] = [
  "giá",
  "tỷ giá",
  "tỉ giá",
  "thời tiết",
  "tin tức",
  "mới nhất",
  "hiện tại",
  "hôm nay",
  "bây giờ",
  "mấy giờ",
  "ngày bao nhiêu",
  "lịch",
  "kết quả",
  "tỉ số",
  "tỷ số",
  "xổ số",
  "chứng khoán",
  "cổ phiếu",
  "bitcoin",
  "crypto",
  "coin",
  "vàng",
  "USD",
  "bao nhiêu tiền",
  "review",
  "đánh giá",
  "so sánh",
  "nên mua",
  "mua ở đâu",
  "ở đâu",
  "địa chỉ",
  "số điện thoại",
  "sự kiện",
  "lịch trình",
  "cập nhật",
  "phiên bản mới",
  "ra mắt",
  "release",
  "công bố",
  "thông báo",
  "biểu đồ",
  "chart",
  "benchmark",
  "xếp hạng model",
  "so sánh model",
  "hiệu năng model",
];

/** The same, English; plurals match too. */
export const REALTIME_WORDS_EN: readonly string[] = [
  "price",
  "weather",
  "news",
  "latest",
  "current",
  "today",
  "right now",
  "stock",
  "bitcoin",
  "crypto",
  "gold price",
  "exchange rate",
  "how much",
  "review",
  "compare",
  "where to buy",
  "address",
  "phone number",
  "schedule",
  "update",
  "new version",
  "release",
  "announcement",
  "score",
  "result",
  "ranking",
  "trending",
  "chart",
  "graph",
  "benchmark",
  "model comparison",
  "leaderboard",
  // Questions about who holds a post or a title: the answer changes without any word of time in it.
  "who won",
  "who is winning",
  "who is the",
  "who's the",
];

/** Advice, lists and figures: worth a search when the message is a question about them. */
export const ADVICE_WORDS: readonly string[] = [
  "danh sách",
  "nên dùng",
  "nên chọn",
  "gợi ý",
  "xu hướng",
  "thống kê",
  "số liệu",
  "top",
  "best",
  "list of",
  "should i",
  "recommend",
  "statistics",
  "history of",
  "comparison",
];

/** Forms of a question. They add to other reasons and are never enough alone: most such questions are settled knowledge. */
export const QUESTION_WORDS: readonly string[] = [
  "là gì",
  "là ai",
  "bao nhiêu",
  "khi nào",
  "tại sao",
  "như thế nào",
  "what is",
  "who is",
  "where is",
  "how many",
  "when did",
  "why does",
  "how does",
  "how to",
];

/** What asks for the origin of an attached image. */
export const IMAGE_PATTERNS: readonly string[] = [
  "tìm nguồn",
  "tìm ảnh",
  "nguồn ảnh",
  "tìm gốc",
  "reverse image",
  "find source",
  "find the source",
  "image source",
  "where is this",
  "tìm tác giả",
  "ai vẽ",
  "tác giả",
  "author",
  "original",
  "find this image",
  "ảnh này từ đâu",
  "ảnh gốc",
  "tìm kiếm ảnh",
];

/** Fixed phrases in which a trigger word means something else. */
export const OTHER_MEANINGS_VI: readonly string[] = [
  "lịch sử",
  "du lịch",
  "thanh lịch",
  "màu vàng",
  "tóc vàng",
  "vội vàng",
  "tìm hiểu",
  "giá trị",
  "giá đỡ",
  "vô giá",
  "gia đình",
  "kết quả là",
  "thông báo lỗi",
];

/** The same in English, on lower-case text. */
export const OTHER_MEANINGS_EN: readonly RegExp[] = [
  /\bas a result\b/g,
  /\b(?:binary|linear|depth[- ]first|breadth[- ]first|tree|grid|beam|full[- ]text|vector) search\b/g,
  /\bsearch (?:tree|algorithm)s?\b/g,
  /\bsql update\b|\bupdate (?:statement|clause|trigger)s?\b|\bupdate \w+ set\b/g,
  /\b(?:memory|ip|mac|virtual|physical|base|return|loopback) address(?:es)?\b|\baddress (?:space|bus)\b/g,
  /\brelease (?:the |a |an |its |this |that |all )?(?:lock|mutex|semaphore|memory|resource|buffer|handle|connection)s?\b/g,
  /\bcurrent (?:directory|folder|function|line|value|variable|user|state|element|node|index|branch|thread)\b/g,
  /\b(?:electric|alternating|direct) current\b/g,
  /\b(?:type|null|bounds|spell|sanity)[- ]?check\b|\bcheck(?:ed)? exception\b/g,
  /\bstock (?:photo|phrase)s?\b|\bcoin (?:toss|flip|a phrase)\b/g,
];

/** A wish not to search: final in `auto`. */
export const NEGATIONS: readonly RegExp[] = [
  /\b(?:don'?t|do not|never|please no|no need to|needn'?t|without|stop|avoid|skip|not necessary to)\s+(?:(?:please|ever|bother|bothering|need to|have to|want (?:you )?to|try(?:ing)? to|do(?:ing)?|use|using|run(?:ning)?|a|an|any|the)\s+)*(?:(?:web|online|internet|google)\s+)?(?:search(?:ing|es)?|look(?:ing)?(?: (?:it|this|that|anything))? up|googl(?:e|ing)|brows(?:e|ing))\b/g,
  /\bno (?:web |online |internet )?search(?:es|ing)?\b/g,
];

/** Words between which nothing but a few fillers may stand in a Vietnamese negation. */
export const NEGATION_STARTS_VI: readonly string[] = [
  "đừng",
  "không cần",
  "khỏi",
  "chưa cần",
  "không nên",
  "không được",
];
export const NEGATION_FILLERS_VI: readonly string[] = ["phải", "cần", "có", "mất công", "dùng", "lên mạng"];
export const NEGATION_VERBS_VI: readonly string[] = [
  "tìm",
  "tra cứu",
  "search",
  "google",
  "check",
  "lên mạng",
  "tra mạng",
];
