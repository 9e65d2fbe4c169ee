import { type LicenseReading, NOTHING_SAID, type ReadLicense, UNLISTED } from "./license-reading.ts";

const CC = "https://creativecommons.org";
/** Pages about a license: `/deed.de`, `/legalcode`. */
const PAGE = "(?:(?:deed|legalcode)(?:[.-][a-z_-]+)*)?";
const CC_BY = new RegExp(`^/licenses/(by|by-sa)(?:/(\\d\\.\\d)(?:/([a-z]{2}|igo|scotland))?)?/?${PAGE}/?$`);
const CC_PUBLIC = new RegExp(`^/publicdomain/(zero|mark)(?:/(\\d\\.\\d))?/?${PAGE}/?$`);
const CC_DEDICATION = new RegExp(`^/licenses/publicdomain/?${PAGE}/?$`);

/** Hosts whose pages are licenses of other kinds. Any other page than these may explain anything. */
const OTHER_LICENSES =
  /(?:^|\.)(?:gnu\.org|artlibre\.org|nationalarchives\.gov\.uk|unsplash\.com|opensource\.org|opendatacommons\.org|kogl\.or\.kr|data\.gouv\.fr|gettyimages\.com|shutterstock\.com|istockphoto\.com)$/;

/** What a license's URL says. Unknown pages say nothing. */
export function readLicenseUrl(raw: string): LicenseReading {
  const text = raw.trim().replace(/^\/\//, "https://");
  if (!URL.canParse(text)) return NOTHING_SAID;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return NOTHING_SAID;
  const host = url.hostname.replace(/^www\./, "");
  const path = url.pathname.toLowerCase();
  if (host === "creativecommons.org") return readCreativeCommons(path);
  if (host === "pexels.com") return stock("pexels", /^\/(?:[a-z]{2}-[a-z]{2}\/)?license\/?$/.test(path));
  if (host === "pixabay.com") return stock("pixabay", /\/service\/(?:license|license-summary|terms)\/?$/.test(path));
  return OTHER_LICENSES.test(host) ? UNLISTED : NOTHING_SAID;
}

/** The canonical page; empty where there is none or where the version is not known. */
export function licenseUrl({ code, port }: Pick<ReadLicense, "code" | "port">, version: string | undefined): string {
  switch (code) {
    case "cc0":
      return `${CC}/publicdomain/zero/1.0/`;
    case "pdm":
      return `${CC}/publicdomain/mark/1.0/`;
    case "pexels":
      return "https://www.pexels.com/license/";
    case "pixabay":
      return "https://pixabay.com/service/license-summary/";
    case "public-domain":
      return "";
    case "by":
    case "by-sa":
      return version === undefined ? "" : `${CC}/licenses/${code}/${version}/${port === undefined ? "" : `${port}/`}`;
  }
}

function readCreativeCommons(path: string): LicenseReading {
  const by = CC_BY.exec(path);
  if (by !== null) {
    const [, code, version, port] = by;
    return {
      kind: "license",
      code: code === "by" ? "by" : "by-sa",
      versions: version === undefined ? [] : [version],
      ...(port === undefined ? {} : { port }),
    };
  }
  const shared = CC_PUBLIC.exec(path);
  if (shared !== null) {
    const [, kind, version] = shared;
    return { kind: "license", code: kind === "zero" ? "cc0" : "pdm", versions: version === undefined ? [] : [version] };
  }
  if (CC_DEDICATION.test(path)) return { kind: "license", code: "public-domain", versions: [] };
  return UNLISTED;
}

function stock(code: "pexels" | "pixabay", isLicense: boolean): LicenseReading {
  return isLicense ? { kind: "license", code, versions: [] } : NOTHING_SAID;
}
