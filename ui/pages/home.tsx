import { Layout } from "./layout.tsx";

export function HomePage() {
  return (
    <Layout title="Search" page="home">
      <section class="hero" aria-labelledby="home-title">
        <h1 id="home-title">Search whose results you can use</h1>
        <p class="lead">
          One request walks a chain of providers, and every answer says who was asked and what happened.
        </p>
        <form id="search-form" class="search-form" role="search">
          <div class="search-line">
            <label class="visually-hidden" for="search-query">
              What to search for
            </label>
            <input
              id="search-query"
              name="query"
              type="search"
              required
              maxlength={2000}
              placeholder="french alpine landscape"
              autocomplete="off"
            />
            <button type="submit" class="button primary">
              Search
            </button>
          </div>
          <div class="search-options">
            <fieldset class="segments">
              <legend class="visually-hidden">Kind of search</legend>
              <Kind value="web" label="Web" checked />
              <Kind value="images" label="Images" />
              <Kind value="answer" label="Answer" />
            </fieldset>
            <label class="check" id="cleared-option" hidden>
              <input type="checkbox" name="cleared" /> Cleared licenses only
            </label>
          </div>
        </form>
      </section>
      <section id="search-results" class="stack" aria-label="Search results" hidden></section>
      <section class="stack" aria-labelledby="jobs-title">
        <h2 id="jobs-title">What else is here</h2>
        <ul class="jobs">
          <Job href="/batch" title="Batch">
            Send an image_queries.json, watch its rows, choose the pictures and take everything as one zip.
          </Job>
          <Job href="/chat" title="Chat">
            Ask a model with search tools of your choice; watch each search as it happens.
          </Job>
          <Job href="/docs" title="API">
            Every route with its schema, its errors and examples.
          </Job>
        </ul>
      </section>
      <section class="stack" aria-labelledby="providers-title">
        <div class="section-head">
          <h2 id="providers-title">Providers</h2>
          <p id="providers-summary" class="muted" role="status">
            Asking which providers are ready …
          </p>
        </div>
        <ul id="providers" class="providers"></ul>
      </section>
    </Layout>
  );
}

function Kind({ value, label, checked }: { value: string; label: string; checked?: boolean }) {
  return (
    <label>
      <input type="radio" name="kind" value={value} checked={checked} />
      <span>{label}</span>
    </label>
  );
}

function Job({ href, title, children }: { href: string; title: string; children: string }) {
  return (
    <li class="card">
      <h3>
        <a class="card-link" href={href}>
          {title}
        </a>
      </h3>
      <p class="muted">{children}</p>
    </li>
  );
}
