import { expect } from 'vitest';
import { createBackendClient } from '../../server/backend/backend-client.ts';
import { type ContentApi, createContentApi } from '../../server/content/content-api.ts';
import type { ContentProblem } from '../../server/content/decode/decode-fields.ts';
import { never } from './backend-client-test.ts';
import { startDecoding } from './decoding.ts';
import type { FakeBackend } from './fake-backend.ts';

export function apiOf(backend: FakeBackend): { api: ContentApi; problems: ContentProblem[] } {
  const client = createBackendClient({ baseUrl: backend.url, token: null, headers: {}, timeoutMs: 20_000 });
  const { context, problems } = startDecoding();
  return { api: createContentApi(client, context), problems };
}

/** Calls that read, by name, so that a table of tests can name them. */
export const READS: Record<string, (api: ContentApi) => Promise<unknown>> = {
  categories: api => api.categories(never()),
  settings: api => api.settings(never()),
  socials: api => api.socials(never()),
  authors: api => api.authors(never()),
  landing: api => api.landing(never()),
  mainPage: api => api.mainPage(never()),
  articlesOfCategory: api => api.articlesOfCategory('guides', 2, never()),
  allArticles: api => api.allArticles(never()),
  article: api => api.article('accepting-cards-in-spain', never()),
  'entries of business-solutions': api => api.entries('business-solutions', never()),
  'entries of commerces': api => api.entries('commerces', never()),
  'entries of pages': api => api.entries('pages', never()),
  'entry of business-solutions': api => api.entry('business-solutions', 'payouts', never()),
  'entry of commerces': api => api.entry('commerces', 'online-shops', never()),
  'entry of pages': api => api.entry('pages', 'about', never()),
  redirects: api => api.redirects(never()),
};
export const SINGLES = ['settings', 'landing', 'mainPage'];
export const BY_SLUG = ['article', 'entry of business-solutions', 'entry of commerces', 'entry of pages'];

export function read(name: string, api: ContentApi): Promise<unknown> {
  const call = READS[name];
  if (!call) expect.fail(`no call '${name}'`);
  return call(api);
}

export const PATHS: Record<string, string> = {
  categories: '/api/categories',
  settings: '/api/settings',
  socials: '/api/socials',
  authors: '/api/authors',
  landing: '/api/landing',
  mainPage: '/api/main-page',
  articlesOfCategory: '/api/articles',
  allArticles: '/api/articles',
  article: '/api/articles',
  'entries of business-solutions': '/api/business-solutions',
  'entries of commerces': '/api/commerces',
  'entries of pages': '/api/pages',
  'entry of business-solutions': '/api/business-solutions',
  'entry of commerces': '/api/commerces',
  'entry of pages': '/api/pages',
  redirects: '/api/redirects',
};
