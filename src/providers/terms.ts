import type { ProviderId } from "./types.ts";

/** What a provider asks of those who use it, in our own words; `docs/providers.md` is made from it. */
export interface ProviderTerms {
  /** Where it says so. */
  readonly url?: string;
  /** What must be shown, and to whom. */
  readonly credit: string;
  /** How long answers and files may or must be kept, and whether its addresses may be linked. */
  readonly keeping: string;
  /** What Sluice does about both, and about its pace. */
  readonly kept: string;
}

const PAGES_OWN = "The pages and pictures that it finds keep their owners' rights";
const SEARCH_KEPT =
  "Titles, addresses and snippets only, with the source's own address; slower or stopped as its errors say";

export const PROVIDER_TERMS: Readonly<Record<ProviderId, ProviderTerms>> = {
  serpapi: {
    url: "https://serpapi.com/legal",
    credit: PAGES_OWN,
    keeping: "It keeps an answer for an hour itself, and the same search within it is free",
    kept: `${SEARCH_KEPT}; the key stands in the address, which is never logged`,
  },
  "google-cse": {
    url: "https://developers.google.com/custom-search/v1/overview",
    credit: PAGES_OWN,
    keeping: "The quota belongs to a project, so two keys of one project share it",
    kept: "A day's quota that is used up is not tried again before midnight in Los Angeles; not called from 2027-01-01 on",
  },
  serper: { url: "https://serper.dev/terms", credit: PAGES_OWN, keeping: "Not known to us", kept: SEARCH_KEPT },
  brave: {
    url: "https://api-dashboard.search.brave.com/documentation",
    credit: PAGES_OWN,
    keeping: "By plan: read what yours says about keeping results",
    kept: `${SEARCH_KEPT}; its rate headers are obeyed`,
  },
  searxng: {
    credit: PAGES_OWN,
    keeping: "Your own rules; the engines behind it have theirs",
    kept: "Its JSON format must be switched on; the only provider that may stand in a private network",
  },
  wikipedia: {
    url: "https://foundation.wikimedia.org/wiki/Policy:Terms_of_Use",
    credit: "Text is CC BY-SA 4.0: whoever shows more than a snippet names the article and the license",
    keeping: "Allowed",
    kept: "Every result links to its article; User-Agent with contact, three requests at once, Retry-After obeyed",
  },
  pexels: {
    url: "https://www.pexels.com/api/documentation/",
    credit:
      "A visible link to Pexels where its search is shown, and the photographer's name where possible; none on the finished page",
    keeping: "Answers should be kept for 24 hours",
    kept: "The photographer, the page and a credit line stand in every record; the chosen file is stored, not linked",
  },
  pixabay: {
    url: "https://pixabay.com/api/docs/",
    credit: "Where its search is shown, say that the pictures are Pixabay's; none on the finished page",
    keeping:
      "Answers must be kept for 24 hours; pictures must not be linked for good, and their addresses end after about a day",
    kept: "The chosen file is stored, never linked; a candidate whose address has ended is looked up again by its id",
  },
  openverse: {
    url: "https://docs.openverse.org/terms_of_service.html",
    credit: "What each work's license asks: CC BY and CC BY-SA need author, license and a link",
    keeping: "Its index can be wrong: the license stands on the work's own page",
    kept: "License with version and address, author and page are recorded; non-commercial and no-derivatives works are left out; 20 a page, 240 works deep, two requests at once",
  },
  wikimedia: {
    url: "https://commons.wikimedia.org/wiki/Commons:Reusing_content_outside_Wikimedia",
    credit: "What each file's license asks: CC BY and CC BY-SA need author, license and a link",
    keeping: "Linking is allowed, in standard widths only; copies are preferred",
    kept: "User-Agent with URL and e-mail (`CONTACT`), three requests at once, Retry-After obeyed, standard widths only; files are stored",
  },
  saucenao: {
    url: "https://saucenao.com/user.php?page=search-api",
    credit: "The works belong to the artists whom it names",
    keeping: "Its thumbnails' addresses end soon",
    kept: "Artist and every source's address are given; the limits of each answer's header are obeyed",
  },
  github: {
    url: "https://docs.github.com/en/site-policy/github-terms/github-terms-of-service",
    credit: "Repositories have their own licenses",
    keeping: "Allowed within its acceptable use policies",
    kept: "Name, description, stars and address only; its rate headers are obeyed",
  },
  imgbb: {
    url: "https://imgbb.com/tos",
    credit: "None",
    keeping: "What is uploaded is public as long as it lies there",
    kept: "Used only where our own origin cannot be reached from outside, and every upload ends after ten minutes",
  },
  gemini: {
    url: "https://ai.google.dev/gemini-api/terms",
    credit: "Google's search suggestions must be shown beside a grounded answer: `search_suggestions` is their HTML",
    keeping: "Grounded answers are meant for the person who asked: read its terms before you store or republish them",
    kept: "Suggestions and sources are handed on with the answer",
  },
  tavily: {
    url: "https://www.tavily.com/terms",
    credit: PAGES_OWN,
    keeping: "Not known to us",
    kept: "Only its own options are sent, and the question without addresses, numbers and keys of persons",
  },
};
