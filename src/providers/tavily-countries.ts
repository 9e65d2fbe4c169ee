/** The countries that Tavily knows (docs.tavily.com, `country` of /search), by ISO 3166-1 alpha-2. */
const NAMES: Readonly<Record<string, string>> = {
  ...named("ad andorra, ae united arab emirates, af afghanistan, al albania, am armenia, ao angola, ar argentina"),
  ...named("at austria, au australia, az azerbaijan, ba bosnia and herzegovina, bb barbados, bd bangladesh"),
  ...named("be belgium, bf burkina faso, bg bulgaria, bh bahrain, bi burundi, bj benin, bn brunei, bo bolivia"),
  ...named("br brazil, bs bahamas, bt bhutan, bw botswana, by belarus, bz belize, ca canada"),
  ...named("cf central african republic, cg congo, ch switzerland, cl chile, cm cameroon, cn china, co colombia"),
  ...named("cr costa rica, cu cuba, cv cape verde, cy cyprus, cz czech republic, de germany, dj djibouti, dk denmark"),
  ...named("do dominican republic, dz algeria, ec ecuador, ee estonia, eg egypt, er eritrea, es spain, et ethiopia"),
  ...named("fi finland, fj fiji, fr france, ga gabon, gb united kingdom, ge georgia, gh ghana, gm gambia, gn guinea"),
  ...named("gq equatorial guinea, gr greece, gt guatemala, hn honduras, hr croatia, ht haiti, hu hungary"),
  ...named("id indonesia, ie ireland, il israel, in india, iq iraq, ir iran, is iceland, it italy, jm jamaica"),
  ...named("jo jordan, jp japan, ke kenya, kg kyrgyzstan, kh cambodia, km comoros, kp north korea, kr south korea"),
  ...named("kw kuwait, kz kazakhstan, lb lebanon, li liechtenstein, lk sri lanka, lr liberia, ls lesotho"),
  ...named("lt lithuania, lu luxembourg, lv latvia, ly libya, ma morocco, mc monaco, md moldova, me montenegro"),
  ...named("mg madagascar, mk north macedonia, ml mali, mm myanmar, mn mongolia, mr mauritania, mt malta"),
  ...named("mu mauritius, mv maldives, mw malawi, mx mexico, my malaysia, mz mozambique, na namibia, ne niger"),
  ...named(
    "ng nigeria, ni nicaragua, nl netherlands, no norway, np nepal, nz new zealand, om oman, pa panama, pe peru",
  ),
  ...named("pg papua new guinea, ph philippines, pk pakistan, pl poland, pt portugal, py paraguay, qa qatar"),
  ...named("ro romania, rs serbia, ru russia, rw rwanda, sa saudi arabia, sd sudan, se sweden, sg singapore"),
  ...named("si slovenia, sk slovakia, sn senegal, so somalia, ss south sudan, sv el salvador, sy syria, td chad"),
  ...named("tg togo, th thailand, tj tajikistan, tm turkmenistan, tn tunisia, tr turkey, tt trinidad and tobago"),
  ...named("tw taiwan, tz tanzania, ua ukraine, ug uganda, us united states, uy uruguay, uz uzbekistan, ve venezuela"),
  ...named("vn vietnam, ye yemen, za south africa, zm zambia, zw zimbabwe"),
};

/** What people write for some of them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  uk: "united kingdom",
  "great britain": "united kingdom",
  usa: "united states",
  "united states of america": "united states",
  czechia: "czech republic",
  "cabo verde": "cape verde",
  türkiye: "turkey",
  "viet nam": "vietnam",
};

const KNOWN = new Set(Object.values(NAMES));

/** Tavily's name of a country given by ISO 3166-1 alpha-2 or by its English name; undefined where it knows none. */
export function tavilyCountry(country: string): string | undefined {
  const given = country.trim().toLowerCase();
  if (KNOWN.has(given)) return given;
  if (Object.hasOwn(NAMES, given)) return NAMES[given];
  return Object.hasOwn(OTHER_NAMES, given) ? OTHER_NAMES[given] : undefined;
}

function named(list: string): Record<string, string> {
  return Object.fromEntries(list.split(", ").map((entry) => [entry.slice(0, 2), entry.slice(3)]));
}
