import { type Photograph, tagsOf } from "./picture.ts";

export interface Article {
  readonly language: string;
  readonly pageId: number;
  readonly title: string;
  readonly tags: readonly string[];
  /** Plain text. */
  readonly snippet: string;
}

/** The Wikipedias that exist here; any other host is unknown. */
export const WIKIPEDIA_LANGUAGES: readonly string[] = ["en", "de", "es", "fr", "ja", "vi", "zh"];

const ENGLISH: Readonly<Record<Photograph, readonly string[]>> = {
  airplane: [
    "Airplane",
    "Aerial photography",
    "Biplane",
    "Aircraft in fiction",
    "Royal Aircraft Factory S.E.5",
    "Aerial reconnaissance in World War I",
  ],
  flower: ["Flower", "Allium oreophilum", "Karl Blossfeldt", "Inflorescence", "Flowering plant", "Floral symmetry"],
  canyon: [
    "Canyon",
    "Black Canyon of the Colorado",
    "Timothy H. O'Sullivan",
    "Wheeler Survey",
    "Gorge (landform)",
    "Colorado River",
  ],
  house: ["Dust Bowl", "Dorothea Lange", "Jiefangbei CBD"],
  alps: [
    "French Alps",
    "Alpine climate",
    "Adolphe Braun",
    "Landscape photography",
    "Mont Blanc massif",
    "Geography of the Alps",
  ],
  cat: ["Cat", "Cat gait", "Eadweard Muybridge", "Animal Locomotion", "Cat anatomy", "Felidae"],
  sheep: ["Pastoral", "Peter Henry Emerson", "Sheep farming"],
  boats: ["Nagasaki", "Felice Beato", "Junk (ship)", "Dejima", "Japanese boat types", "Port of Nagasaki"],
};

const OTHERS: Readonly<Record<string, readonly (readonly [title: string, tags: string, snippet: string])[]>> = {
  de: [
    ["Hauskatze", "katze katzen cat tier", "Die Hauskatze ist eine Unterart der Falbkatze."],
    [
      "Französische Alpen",
      "französische alpen landschaft berge",
      "Die Französischen Alpen liegen westlich des Hauptkamms.",
    ],
    ["Nagasaki", "nagasaki boote hafen japan", "Nagasaki ist eine Hafenstadt auf Kyūshū."],
  ],
  es: [
    ["Felis catus", "gato gatos animal cat", "El gato doméstico es un mamífero carnívoro."],
    ["Cañón (geomorfología)", "cañón rio canyon", "Un cañón es un accidente geográfico."],
  ],
  fr: [
    ["Chat", "chat chats animal", "Le chat domestique est un mammifère carnivore."],
    ["Alpes françaises", "alpes françaises paysage alpin montagne", "Les Alpes françaises couvrent l'est du pays."],
    ["Avion", "avion vu dessus ciel", "Un avion est un aérodyne entraîné par un moteur."],
  ],
  ja: [
    ["長崎市", "長崎 船 港 nagasaki", "長崎市は九州の西端に位置する港湾都市である。"],
    ["ネコ", "猫 ネコ 動物", "ネコは古くから人間に飼われてきた。"],
  ],
  vi: [
    ["Mèo", "mèo nhà động vật", "Mèo là động vật có vú, nhỏ nhắn và chuyên ăn thịt."],
    ["Nagasaki", "nagasaki thuyền cảng nhật bản", "Nagasaki là thành phố cảng ở Nhật Bản."],
  ],
  zh: [
    ["解放碑", "重庆 解放碑 渝中区 纪念碑", "解放碑位于重庆市渝中区，是城市的地标。"],
    ["福建土楼", "福建 福州 土楼 建筑", "福建土楼是客家人的夯土建筑。"],
    ["长崎市", "长崎 船 港口 日本", "长崎市是日本九州的港口城市。"],
    ["猫", "猫 家猫 动物", "猫是一种小型的食肉动物。"],
  ],
};

const english = (Object.keys(ENGLISH) as Photograph[]).flatMap((photograph) =>
  ENGLISH[photograph].map((title) => ({
    language: "en",
    title,
    tags: tagsOf(photograph),
    snippet: `${title} & its history: ${tagsOf(photograph).slice(0, 3).join(", ")} and more.`,
  })),
);
const others = Object.entries(OTHERS).flatMap(([language, articles]) =>
  articles.map(([title, tags, snippet]) => ({ language, title, tags: tags.split(" "), snippet })),
);

export const ARTICLES: readonly Article[] = [...english, ...others].map((article, index) => ({
  ...article,
  pageId: 40_000 + index * 37,
}));

export function articleUrl({ language, title }: Article): string {
  return `https://${language}.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(" ", "_"))}`;
}
