import { type Photograph, slugOf, tagsOf } from "./picture.ts";
import { ARTICLES, articleUrl } from "./wikipedia.ts";

/** A page as engines for the whole web list it. */
export interface WebPage {
  readonly title: string;
  readonly tags: readonly string[];
  readonly link: string;
  /** Plain text. */
  readonly snippet: string;
  /** The site in words. */
  readonly source: string;
  /** ISO 8601, where the page has one. */
  readonly date?: string;
}

type Row = readonly [host: string, title: string, snippet: string, date?: string];

const ROWS: Readonly<Record<Photograph, readonly Row[]>> = {
  airplane: [
    [
      "airshow.example",
      "Airplane from above: how the first aerial pictures were made",
      "A camera, a leather strap and a steady hand.",
      "2026-03-14",
    ],
    ["www.travelphotos.example", "Photographing an airplane from above", "Chase planes, drones and patience."],
    [
      "historypictures.example",
      "The view from above: airplane pictures of 1918",
      "Pilots photographed each other over the lines.",
      "2025-11-02",
    ],
    ["www.dailylens.example", "Why an airplane looks flat from above", "On shadows, scale and the missing horizon."],
    ["aero.museum.example", "Biplane seen from above, print no. 214", "Gelatin silver print, roundels on both wings."],
    ["forum.pilots.example", "Airplane above you: how to judge its height", "Five pilots answer.", "2024-07-21"],
    [
      "airshow.example",
      "Painting roundels so that they read from above",
      "Colors, diameters and the airplane's wings.",
    ],
    ["school.physics.example", "Airplane wings, seen from above and below", "Lift explained with two drawings."],
    ["www.dailylens.example", "Ten airplane photographs from above", "From albumen to digital.", "2026-08-30"],
  ],
  flower: [
    ["www.gardenalmanac.example", "Allium oreophilum: a small flower for dry gardens", "Plant the bulbs in autumn."],
    ["www.gardenalmanac.example", "When does each flower bloom?", "A calendar of the year.", "2026-02-01"],
    [
      "historypictures.example",
      "Karl Blossfeldt and the flower as architecture",
      "Plants enlarged up to thirty times.",
    ],
    ["botany.university.example", "Flower anatomy for beginners", "Sepals, petals, stamens, carpels."],
    ["www.dailylens.example", "Photograph a flower with window light", "No flash, one reflector."],
    ["seeds.shop.example", "Flower bulbs for September", "Pink lily leek, twenty-five bulbs."],
    ["poems.archive.example", "The flower in the wall", "A short poem and its history."],
    ["botany.university.example", "From bud to flower in eleven days", "A time series.", "2025-05-18"],
  ],
  canyon: [
    ["www.travelphotos.example", "Black Canyon by boat", "Still water between high walls.", "2026-04-09"],
    ["historypictures.example", "The canyon that O'Sullivan photographed", "The Wheeler survey of 1871."],
    ["geology.university.example", "How a river cuts a canyon", "Uplift, time and sediment."],
    ["parks.visitors.example", "Canyon trails: conditions and permits", "Check before you go.", "2026-10-12"],
    ["www.dailylens.example", "Canyon light for photographers", "The hour before noon is best."],
    ["maps.archive.example", "Old maps of the canyon country", "Scans in high resolution."],
    ["forum.rafting.example", "First time in the canyon: what to pack", "Dry bags and a spare paddle."],
    ["geology.university.example", "Canyon or gorge?", "Two words, one landform."],
  ],
  house: [
    ["historypictures.example", "A home in the Dust Bowl", "One photograph, three families."],
    ["www.travelphotos.example", "解放碑 重庆 一日游", "从解放碑到洪崖洞的步行路线。", "2026-05-01"],
    ["www.travelphotos.example", "Jiefangbei, Chongqing in one day", "From the monument to the river."],
    ["fujian.travel.example", "福州 土楼 怎么去", "交通、门票与住宿。"],
  ],
  alps: [
    [
      "historypictures.example",
      "French alpine landscape in early photography",
      "Braun carried glass plates to the glaciers.",
    ],
    [
      "www.travelphotos.example",
      "The ten best views of a French alpine landscape",
      "All of them reachable by bus.",
      "2026-06-20",
    ],
    ["parks.visitors.example", "Alpine huts on the French side", "Beds, prices, seasons."],
    ["www.dailylens.example", "Exposing a landscape with alpine snow", "The French school of metering."],
    ["geology.university.example", "How the French alpine landscape was made", "Folds, thrusts and ice."],
    ["maps.archive.example", "French alpine landscape on old maps", "From 1740 to the present."],
    ["forum.hikers.example", "Quiet alpine valleys in France?", "Landscape without crowds.", "2025-08-03"],
    ["paintings.gallery.example", "Alpine landscape in French painting", "Forty works."],
  ],
  cat: [
    [
      "animalmotion.example",
      "How a cat walks: the gait in pictures",
      "Four beats, three feet on the ground.",
      "2026-01-11",
    ],
    ["animalmotion.example", "Muybridge's cat, frame by frame", "Plate 717 explained."],
    ["vets.clinic.example", "Cat care for beginners", "Food, water, vaccination."],
    ["www.dailylens.example", "Photographing a cat that will not sit still", "Shutter speeds and treats."],
    ["historypictures.example", "The cat before cinema", "Motion studies of the 1880s."],
    ["shelter.adopt.example", "Adopt a cat", "Sixteen are waiting.", "2026-11-03"],
    ["forum.pets.example", "Why does my cat trot sideways?", "Play, mostly."],
    ["cars.review.example", "Ford Puma: the cat among small cars", "A test drive."],
  ],
  sheep: [
    ["historypictures.example", "Emerson's marsh: a March pastoral", "Platinum prints of country life."],
    ["farm.almanac.example", "Lambing in March", "What a shepherd needs at hand."],
  ],
  boats: [
    [
      "historypictures.example",
      "Boats in Nagasaki, photographed by Felice Beato",
      "Albumen prints of 1865.",
      "2025-09-09",
    ],
    ["www.travelphotos.example", "Nagasaki from the water: boats and ferries", "Timetables and piers."],
    ["ships.museum.example", "Wooden boats of Nagasaki and Kyushu", "Hull forms and sails."],
    ["www.dailylens.example", "Restoring an old print of boats in Nagasaki", "Fading, foxing, patience."],
    ["maps.archive.example", "Nagasaki harbor charts with boats", "Dutch and Japanese sheets."],
    ["forum.modelships.example", "Model boats after the Nagasaki photograph", "Scale 1:48.", "2024-12-30"],
    ["port.nagasaki.example", "Boats in Nagasaki today", "Cruises, ferries, fishing."],
    ["www.travelphotos.example", "长崎 看船", "港口散步路线。"],
  ],
};

const sitePages: readonly WebPage[] = (Object.keys(ROWS) as Photograph[]).flatMap((photograph) =>
  ROWS[photograph].map(([host, title, snippet, date]) => ({
    title,
    tags: tagsOf(photograph),
    link: `https://${host}/articles/${encodeURIComponent(slugOf(title))}`,
    snippet,
    source: host.split(".").at(-2)!,
    date,
  })),
);

const articlePages: readonly WebPage[] = ARTICLES.map((article) => ({
  title: `${article.title} - Wikipedia`,
  tags: article.tags,
  link: articleUrl(article),
  snippet: article.snippet,
  source: "Wikipedia",
}));

export const PAGES: readonly WebPage[] = [...sitePages, ...articlePages];

const HOSTS = new Set(PAGES.map(({ link }) => new URL(link).host));

export function isPageHost(host: string): boolean {
  return HOSTS.has(host);
}
