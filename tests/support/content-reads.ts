import { expect } from 'vitest';
import { type BackendClient, createBackendClient } from '../../server/backend/backend-client.ts';
import { type ContentApi, createContentApi } from '../../server/content/requests/content-api.ts';
import type { ContentRequest } from '../../server/content/requests/content-request.ts';
import { never } from './backend-client-test.ts';
import { type FoundProblem, startDecoding } from './decoding.ts';
import type { FakeBackend } from './fake-backend.ts';
import { patient } from './patience.ts';

/** Fetches a piece of content from the backend and decodes it, without a cache. */
export type Load = <T extends object | null>(request: ContentRequest<T>, signal?: AbortSignal) => Promise<T>;

export function apiOf(backend: FakeBackend): {
  api: ContentApi;
  client: BackendClient;
  problems: FoundProblem[];
  load: Load;
} {
  const client = createBackendClient({
    baseUrl: backend.url,
    token: null,
    headers: {},
    timeoutMs: patient(20_000),
  });
  const { services: decoding, problems } = startDecoding();
  const api = createContentApi({
    client,
    decoding,
    siteLocale: 'en-GB',
    publicOrigin: null,
    redirectHosts: null,
    onRedirectProblems: () => {},
  });
  const load: Load = async (request, signal = never()) => {
    const answers = await request.fetch(
      call => client.getJson(call, signal),
      other => load(other, signal),
    );
    return (await request.decode(answers)).value;
  };
  return { api, client, problems, load };
}

/** Loads one piece of content from a backend. */
export function loadFrom<T extends object | null>(
  backend: FakeBackend,
  requestOf: (api: ContentApi) => ContentRequest<T>,
): Promise<T> {
  const { api, load } = apiOf(backend);
  return load(requestOf(api));
}

/** Order of articles in a site whose articles all have a date. */
export const BY_DATE = { by: 'date' } as const;

/** Requests by name, for tables of tests. */
export const READS: Record<string, (api: ContentApi) => ContentRequest<object | null>> = {
  categories: api => api.categories(),
  settings: api => api.settings(),
  socials: api => api.socials(),
  authors: api => api.authors(),
  landing: api => api.landing(),
  mainPage: api => api.mainPage(),
  articlesOfCategory: api => api.articlesOfCategory('guides', 2, BY_DATE),
  articlesOfAuthor: api => api.articlesOf({ by: 'author', id: 'abc' }, 1, BY_DATE),
  articlesOfTag: api => api.articlesOf({ by: 'tag', id: '7' }, 2, BY_DATE),
  articleCount: api => api.articleCount(),
  articleOrder: api => api.articleOrder(),
  newestArticles: api => api.newestArticles(30, BY_DATE),
  article: api => api.articlesWithSlug('accepting-cards-in-spain', 'canonical'),
  'entries of business-solutions': api => api.entries('business-solutions'),
  'entries of commerces': api => api.entries('commerces'),
  'entries of pages': api => api.entries('pages'),
  'entry of business-solutions': api => api.entry('business-solutions', 'payouts'),
  'entry of commerces': api => api.entry('commerces', 'online-shops'),
  'entry of pages': api => api.entry('pages', 'about'),
  redirects: api => api.redirects(),
};
export const SINGLES = ['settings', 'landing', 'mainPage'];
export const BY_SLUG = ['article', 'entry of business-solutions', 'entry of commerces', 'entry of pages'];

export function read(name: string, { api, load }: { api: ContentApi; load: Load }): Promise<object | null> {
  const requestOf = READS[name];
  if (!requestOf) expect.fail(`no request '${name}'`);
  return load(requestOf(api));
}

export const PATHS: Record<string, string> = {
  categories: '/api/categories',
  settings: '/api/settings',
  socials: '/api/socials',
  authors: '/api/authors',
  landing: '/api/landing',
  mainPage: '/api/main-page',
  articlesOfCategory: '/api/articles',
  articlesOfAuthor: '/api/articles',
  articlesOfTag: '/api/articles',
  articleCount: '/api/articles',
  articleOrder: '/api/articles',
  newestArticles: '/api/articles',
  article: '/api/articles',
  'entries of business-solutions': '/api/business-solutions',
  'entries of commerces': '/api/commerces',
  'entries of pages': '/api/pages',
  'entry of business-solutions': '/api/business-solutions',
  'entry of commerces': '/api/commerces',
  'entry of pages': '/api/pages',
  redirects: '/api/redirects',
};
