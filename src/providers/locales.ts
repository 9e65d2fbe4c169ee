/** A caller's country and locale in each provider's own codes. What a provider does not know is left out. */

interface Language {
  /** ISO 639 language, lower case: `zh`, `pt`. */
  readonly language: string;
  /** ISO 15924, given or likely: `Hant`. */
  readonly script: string;
  /** ISO 3166-1 alpha-2, where the caller named one. */
  readonly region?: string;
}

function parsed(locale: string | undefined): Language | undefined {
  if (locale === undefined) return undefined;
  try {
    const given = new Intl.Locale(locale.trim().replaceAll("_", "-"));
    const { script = "" } = given.maximize();
    return { language: given.language, script, ...(given.region === undefined ? {} : { region: given.region }) };
  } catch {
    return undefined;
  }
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** ISO 3166-1 alpha-2. */
const COUNTRIES = words(
  "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz " +
    "ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr " +
    "ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo " +
    "jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr " +
    "ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro " +
    "rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv " +
    "tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw",
);

/** Google's `gl`: ISO codes, with `uk` for the United Kingdom. */
export function googleCountry(country: string | undefined): string | undefined {
  const code = country?.toLowerCase();
  if (code === "gb") return "uk";
  return code !== undefined && COUNTRIES.has(code) ? code : undefined;
}

const GOOGLE_INTERFACE_LANGUAGES = words(
  "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fo fr fy ga gd gl gu hi hr hu hy id is it iw ja jw ka " +
    "kk km kn ko ky la lo lt lv mk ml mn mr ms mt ne nl nn no oc pa pl pt-BR pt-PT ro ru si sk sl so sq sr su sv sw ta te " +
    "th ti tk tl tr uk ur uz vi xh yi zh-CN zh-TW zu",
);

/** Google keeps some codes that ISO 639 has replaced since. */
const GOOGLE_NAMES: Readonly<Record<string, string>> = { he: "iw", jv: "jw", nb: "no", fil: "tl" };

/** Google's `hl`, as its documentation writes it: `en`, `pt-BR`, `zh-TW`. */
export function googleLanguage(locale: string | undefined): string | undefined {
  const known = parsed(locale);
  if (known === undefined) return undefined;
  if (known.language === "zh") return chinese(known, "zh-CN", "zh-TW");
  if (known.language === "pt") return portuguese(known, "pt-BR", "pt-PT");
  return oneOf(GOOGLE_INTERFACE_LANGUAGES, GOOGLE_NAMES[known.language] ?? known.language);
}

const GOOGLE_RESULT_LANGUAGES = words(
  "ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN zh-TW",
);

/** Google's `lr`, which keeps results to one language: `lang_de`. */
export function googleResultLanguage(locale: string | undefined): string | undefined {
  const language = googleLanguage(locale)?.replace(/^pt-.*/, "pt");
  const known = oneOf(GOOGLE_RESULT_LANGUAGES, language);
  return known === undefined ? undefined : `lang_${known}`;
}

const BING_MARKETS = words(
  "da-DK de-AT de-CH de-DE en-AU en-CA en-GB en-ID en-IN en-MY en-NZ en-PH en-US en-ZA es-AR es-CL es-ES es-MX es-US " +
    "fi-FI fr-BE fr-CA fr-CH fr-FR it-IT ja-JP ko-KR nl-BE nl-NL no-NO pl-PL pt-BR ru-RU sv-SE tr-TR zh-CN zh-HK zh-TW",
);

/** Bing's `mkt` where it has a market for language and country, else `cc`, the country alone. */
export function bingMarket(
  locale: string | undefined,
  country: string | undefined,
): { readonly mkt?: string; readonly cc?: string } {
  const known = parsed(locale);
  const region = (country ?? known?.region)?.toLowerCase();
  if (region === undefined || !COUNTRIES.has(region)) return {};
  const language = known?.language === "nb" ? "no" : known?.language;
  const mkt = oneOf(BING_MARKETS, `${language}-${region.toUpperCase()}`);
  return mkt === undefined ? { cc: region.toUpperCase() } : { mkt };
}

const BRAVE_COUNTRIES = words(
  "AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE TR TW US ZA",
);

/** Brave answers 422 to a country outside its list, and takes a missing one for the United States. */
export function braveCountry(country: string | undefined): string {
  return oneOf(BRAVE_COUNTRIES, country?.toUpperCase()) ?? "ALL";
}

const BRAVE_LANGUAGES = words(
  "ar bg bn ca cs da de en en-gb es et eu fi fr gl gu he hi hr hu is it jp kn ko lt lv ml mr ms nb nl pa pl pt-br pt-pt " +
    "ro ru sk sl sr sv ta te th tr uk vi zh-hans zh-hant",
);

/** Brave's `search_lang`, with names of its own: `jp`, `zh-hans`. */
export function braveLanguage(locale: string | undefined): string | undefined {
  const known = parsed(locale);
  if (known === undefined) return undefined;
  const { language, region } = known;
  if (language === "zh") return chinese(known, "zh-hans", "zh-hant");
  if (language === "pt") return portuguese(known, "pt-br", "pt-pt");
  if (language === "ja") return "jp";
  if (language === "no") return "nb";
  if (language === "en" && region === "GB") return "en-gb";
  return oneOf(BRAVE_LANGUAGES, language);
}

const SEARXNG_LANGUAGES = words(
  "af ar be bg ca cs cy da de el en eo es et eu fa fi fr ga gd gl he hi hr hu hy id is it ja ko lt lv nb nl pl pt ro ru " +
    "sk sl sq sr sv sw th tr uk ur vi zh",
);

/** SearXNG's `language`: a language, with a region where the caller gave one (`en-GB`), and always for Chinese. */
export function searxngLanguage(locale: string | undefined): string | undefined {
  const known = parsed(locale);
  if (known === undefined) return undefined;
  if (known.language === "zh") return chinese(known, "zh-CN", "zh-TW");
  const language = oneOf(SEARXNG_LANGUAGES, known.language === "no" ? "nb" : known.language);
  if (language === undefined) return undefined;
  return /^[A-Z]{2}$/.test(known.region ?? "") ? `${language}-${known.region}` : language;
}

/** The editions with some size; a caller can therefore never choose the host. */
const WIKIPEDIAS = words(
  "af ar arz ast az azb be bg bn bs ca ceb cs cy da de el en eo es et eu fa fi fr ga gl he hi hr hu hy id is it ja jv ka kk " +
    "kn ko ku ky la lb lt lv mg mk ml mr ms my nds ne nl nn no oc pa pl pt ro ru scn sco sh sk sl sq sr su sv sw ta te tg th " +
    "tl tr tt uk ur uz vi war yo zh",
);

const WIKIPEDIA_NAMES: Readonly<Record<string, string>> = { nb: "no", fil: "tl", yue: "zh-yue", nan: "zh-min-nan" };

/** The subdomain of a Wikipedia; English where there is none for the locale. */
export function wikipediaLanguage(locale: string | undefined): string {
  const language = parsed(locale)?.language ?? "en";
  return WIKIPEDIA_NAMES[language] ?? oneOf(WIKIPEDIAS, language) ?? "en";
}

const PEXELS_LOCALES = words(
  "ca-ES cs-CZ da-DK de-DE el-GR en-US es-ES fi-FI fr-FR hu-HU id-ID it-IT ja-JP ko-KR nb-NO nl-NL pl-PL pt-BR ro-RO ru-RU " +
    "sk-SK sv-SE th-TH tr-TR uk-UA vi-VN zh-CN zh-TW",
);

/** Pexels' `locale`: that of the query's script, else the caller's. */
export function pexelsLocale(query: string, locale: string | undefined): string | undefined {
  const language = stockLanguage(query, locale);
  if (language === undefined) return undefined;
  if (language.language === "zh") return chinese(language, "zh-CN", "zh-TW");
  const name = language.language === "no" ? "nb" : language.language;
  return [...PEXELS_LOCALES].find((each) => each.startsWith(`${name}-`));
}

const PIXABAY_LANGUAGES = words("bg cs da de el en es fi fr hu id it ja ko nl no pl pt ro ru sk sv th tr vi zh");

/** Pixabay's `lang`: that of the query's script, else the caller's. */
export function pixabayLanguage(query: string, locale: string | undefined): string | undefined {
  const language = stockLanguage(query, locale)?.language;
  return oneOf(PIXABAY_LANGUAGES, language === "nb" || language === "nn" ? "no" : language);
}

/**
 * Stock libraries translate a query from the language that they are told, so the script of the query goes before the
 * caller's locale: an English query of a Chinese reader is sent without a language.
 */
function stockLanguage(query: string, locale: string | undefined): Language | undefined {
  const reader = parsed(locale);
  const readsCjk = reader !== undefined && ["zh", "ja", "ko"].includes(reader.language);
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(query)) return { language: "ja", script: "Jpan" };
  if (/\p{Script=Hangul}/u.test(query)) return { language: "ko", script: "Kore" };
  if (/\p{Script=Han}/u.test(query)) return readsCjk ? reader : { language: "zh", script: "Hans" };
  return readsCjk ? undefined : reader;
}

function chinese(known: Language, simplified: string, traditional: string): string {
  return known.script === "Hant" ? traditional : simplified;
}

/** Without a region, Portuguese is Brazilian for most of its readers. */
function portuguese(known: Language, brazilian: string, european: string): string {
  return known.region === undefined || known.region === "BR" ? brazilian : european;
}

function oneOf(list: ReadonlySet<string>, code: string | undefined): string | undefined {
  return code !== undefined && list.has(code) ? code : undefined;
}
