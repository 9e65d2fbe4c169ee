import { type LicenseReading, NOTHING_SAID, UNLISTED } from "./license-reading.ts";

const STOCK = /^(pexels|pixabay)( (?:content )?license)?$/;
const STOCK_PREFIX = /^(pexels|pixabay) (.+)$/;
const CC0 =
  /^(?:creative commons )?(?:cc[ -]?0|cc[ -]zero|zero)(?:[ -]v?(\d\.\d))?(?: universal)?(?: public domain dedication)?$/;
const MARK = /^(?:cc[ -])?(pdm|public domain mark)(?:[ -]v?(\d\.\d))?$/;
/** Given up everywhere by whoever held the rights. `PD-USGov` and its like hold in one country only. */
const PUBLIC_DOMAIN = /^(?:public ?domain|public-domain|pd|pd-(?:self|author|user))$/;
const CC_BY =
  /^(?<cc>cc[ -]?|creative commons[ -])?(?:by|(?<words>attribution))(?<sa>[ -](?:sa|share[ -]?alike))?(?:[ -]v?(?<versions>\d\.\d(?:-\d\.\d)*))?(?: (?:international|unported|generic)|[ -](?<port>[a-z]{2}|igo|scotland))?$/;
/** Free licenses that are no use to us, but harmless as the other choice. */
const OTHER_CHOICE =
  /^(?:gfdl|gnu free documentation license|fal|free art license|lal)(?:[ -]v?\d(?:\.\d)?)?(?:\+| or later)?$/;

/** What a license's name or code says: `by`, `CC BY-SA 3.0 de`, `CC BY-SA 4.0, GFDL`, `Public domain`. */
export function readLicenseName(raw: string): LicenseReading {
  const written = raw
    .normalize("NFKC")
    .replace(/[\s_]+/g, " ")
    .trim();
  const choices = written.split(/ ?[,;] ?| or (?!later)/i);
  if (choices.length === 1) return readOne(written);
  const readings = choices.map(readOne);
  const chosen = readings.find((reading) => reading.kind === "license");
  const allKnown = choices.every((choice, index) => readings[index]?.kind === "license" || isOtherChoice(choice));
  return chosen !== undefined && allKnown ? { ...chosen, display: written } : UNLISTED;
}

function isOtherChoice(choice: string): boolean {
  return OTHER_CHOICE.test(choice.toLowerCase());
}

function readOne(written: string): LicenseReading {
  const name = written.toLowerCase();
  if (name === "" || name === "cc" || name === "creative commons") return NOTHING_SAID;
  const stock = STOCK.exec(name);
  if (stock !== null)
    return { kind: "license", code: stockCode(stock[1]), versions: [], sourceNeeded: stock[2] === undefined };
  const cc0 = CC0.exec(name);
  if (cc0 !== null) return { kind: "license", code: "cc0", versions: versionsOf(cc0[1]) };
  const mark = MARK.exec(name);
  if (mark !== null) {
    const display = mark[1] === "pdm" ? {} : { display: "Public Domain Mark 1.0" };
    return { kind: "license", code: "pdm", versions: versionsOf(mark[2]), ...display };
  }
  if (PUBLIC_DOMAIN.test(name)) return { kind: "license", code: "public-domain", versions: [] };
  const by = readCcBy(name);
  if (by.kind === "license") return by;
  // "Pexels CC BY": the site, then the license.
  const prefixed = STOCK_PREFIX.exec(name);
  const rest = readCcBy(prefixed?.[2] ?? "");
  return rest.kind === "license" ? { ...rest, display: written, only: stockCode(prefixed?.[1]) } : UNLISTED;
}

function readCcBy(name: string): LicenseReading {
  const groups = CC_BY.exec(name)?.groups;
  if (groups === undefined || groups.port === "sa") return UNLISTED;
  return {
    kind: "license",
    code: groups.sa === undefined ? "by" : "by-sa",
    versions: groups.versions?.split("-") ?? [],
    ...(groups.port === undefined ? {} : { port: groups.port }),
    // Other terms than Creative Commons' are called "Attribution" too.
    ...(groups.words !== undefined && groups.cc === undefined ? { urlNeeded: true } : {}),
  };
}

function versionsOf(version: string | undefined): readonly string[] {
  return version === undefined ? [] : [version];
}

function stockCode(site: string | undefined): "pexels" | "pixabay" {
  return site === "pexels" ? "pexels" : "pixabay";
}
