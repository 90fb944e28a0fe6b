import { expect } from 'vitest';
import { digestOf } from '../../server/content/requests/content-request.ts';
import type { TypeReport } from '../../server/content/store/content-states.ts';
import { type Answer, AS_BROWSER, sendRequest } from './send-request.ts';
import type { LogLine, RunningSite } from './start-site.ts';

/**
 * A page of each route in the recorded content, and the types without which it is a 503. Each page uses other
 * types as well.
 */
export const MADE_OF: Readonly<Record<string, readonly string[]>> = {
  '/': ['landing'],
  '/blog': ['main-page', 'categories', 'articles'],
  '/blog/guides': ['categories', 'articles'],
  '/blog/guides/accepting-cards-in-spain': ['categories', 'articles'],
  '/about': ['pages'],
  '/business-solutions/payouts': ['business-solutions'],
  '/commerce/online-shops': ['commerces'],
};
export const PATHS = Object.keys(MADE_OF);
export const START_UP_TYPES = ['main-page', 'categories', 'authors', 'settings', 'landing'] as const;
export const SINGLE_TYPES = ['main-page', 'settings', 'landing'] as const;
/** All types that the backend serves at an address. */
export const TYPES = [
  ...START_UP_TYPES,
  ...['socials', 'redirects', 'articles', 'pages', 'business-solutions', 'commerces'],
] as const;

export const getPage = (site: RunningSite, path: string): Promise<Answer> =>
  sendRequest(site.url, path, { headers: AS_BROWSER });

/** Requests pages. @returns their statuses by path. */
export async function statusesOf(
  site: RunningSite,
  paths: readonly string[] = PATHS,
): Promise<Record<string, number>> {
  const answers = await Promise.all(paths.map(path => getPage(site, path)));
  return Object.fromEntries(paths.map((path, index) => [path, answers[index]?.status ?? 0]));
}

/** A path that a recorded redirect moves. Nothing else of the redirects is visible. */
const REDIRECTED = '/old-about';

/**
 * Requests pages and a redirect. @returns the status and a digest of each answer by path, so a failed
 * comparison stays readable.
 */
export async function pagesOf(
  site: RunningSite,
  paths: readonly string[] = [...PATHS, REDIRECTED],
): Promise<Record<string, string>> {
  const answers = await Promise.all(paths.map(path => getPage(site, path)));
  return Object.fromEntries(
    paths.map((path, index) => [path, `${answers[index]?.status} ${digestOf(answers[index]?.text ?? '')}`]),
  );
}

/**
 * @returns the expected status of each page while types are refused: 503 if a refused type is essential to
 *   it.
 */
export const statusesWithout = (refused: readonly string[], paths = PATHS): Record<string, number> =>
  Object.fromEntries(
    paths.map(path => [path, MADE_OF[path]?.some(type => refused.includes(type)) ? 503 : 200]),
  );

/** Expects that pages are answered from the cache, fresh. */
export async function expectStored(site: RunningSite, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { status, headers } = await getPage(site, path);
    expect([path, status, headers['cache-status']]).toEqual([
      path,
      200,
      expect.stringMatching(/^site; hit; ttl=\d/),
    ]);
  }
}

export interface Readiness {
  status: string;
  backend: string;
  contentTypes: Record<string, TypeReport>;
}

/** @returns the status and the body of `/readyz`. */
export async function readinessOf(site: RunningSite): Promise<[status: number, body: Readiness]> {
  const answer = await sendRequest(site.opsUrl, '/readyz');
  return [answer.status, answer.json<Readiness>()];
}

/** @returns the states of `/readyz` by type. */
export async function statesOf(site: RunningSite): Promise<Record<string, string>> {
  const [, { contentTypes }] = await readinessOf(site);
  return Object.fromEntries(Object.entries(contentTypes).map(([type, { state }]) => [type, state]));
}

/** @returns the log entries about the state of a type. */
export const linesOf = (site: RunningSite, type: string): LogLine[] =>
  site.log.filter(line => line.code.startsWith('content-type-') && line.type === type);

/** @returns the samples of a metric: labels and value. */
export async function samplesOf(site: RunningSite, name: string): Promise<Record<string, number>> {
  const { text } = await sendRequest(site.opsUrl, '/metrics');
  const lines = text.split('\n').filter(line => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map(line => {
      const at = line.lastIndexOf(' ');
      return [line.slice(name.length, at), Number(line.slice(at + 1))];
    }),
  );
}
