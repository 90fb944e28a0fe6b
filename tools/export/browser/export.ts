import type { answerSearch, suggest } from './search.ts';

// Each page of an export runs this script before the site's main script. It stands in for the live server,
// because a static file server handles no queries, no redirects of payloads and no forms.

/** The module of the search, and the address for the messages of forms. `browser-code.ts` sets both. */
declare const __SEARCH__: string;
declare const __FORMS__: string | null;

const PAYLOAD = '/_payload.json';
const SEARCH = '/search';
const FORM = 'form[action="/api/email/send"]';

const send = window.fetch.bind(window);
const { pathname, search } = location;
const query = new URLSearchParams(search);

window.fetch = async (input, init) => {
  const url = typeof input === 'string' ? URL.parse(input, location.href) : null;
  if (url?.origin !== location.origin) return send(input, init);
  const isSearch = url.pathname === SEARCH + PAYLOAD && url.searchParams.get('q');
  if (isSearch) return json((await searching()).answerSearch(url.searchParams));
  if (url.pathname === `${SEARCH}/suggestions.json`)
    return json((await searching()).suggest(url.searchParams));
  const answer = await send(input, init);
  const isLost = url.pathname.endsWith(PAYLOAD) && (answer.status === 404 || answer.redirected);
  // A response without JSON causes a full load. The server then redirects, or sends its 404 page.
  return isLost ? new Response('') : answer;
};

async function json(value: Promise<unknown>): Promise<Response> {
  return Response.json(await value);
}

function searching(): Promise<{ answerSearch: typeof answerSearch; suggest: typeof suggest }> {
  return import(__SEARCH__);
}

const page = query.get('page');
// Redirect old links, which have the page number of a list in the query.
if (page && /^[1-9]\d*$/.test(page) && pathname !== SEARCH) {
  query.delete('page');
  const rest = query.size > 0 ? `?${query}` : '';
  location.replace((page === '1' ? pathname : `${pathname}/page/${page}`) + rest + location.hash);
}

// The exported search page has no results. Navigate to the results after hydration.
if (pathname === SEARCH && query.get('q')) {
  const answer = () => {
    const link = document.createElement('a');
    link.href = pathname + search;
    document.body.append(link);
    link.click();
    link.remove();
  };
  const root = document.documentElement;
  new MutationObserver((_, observer) => {
    if (root.dataset.hydrated === undefined) return;
    observer.disconnect();
    answer();
  }).observe(root, { attributes: true, attributeFilter: ['data-hydrated'] });
}

if (__FORMS__ !== null) {
  const target = __FORMS__;
  document.addEventListener(
    'submit',
    event => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || !(form.matches(FORM) || form.matches(`[action="${target}"]`)))
        return;
      // Keep the site's script from posting, because it could not read another origin's response.
      form.setAttribute('action', target);
      event.stopImmediatePropagation();
    },
    true,
  );
}
