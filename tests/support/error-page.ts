import { expect } from 'vitest';
import type { LogCode } from '../../server/ops/log-codes.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import type { RouteMiddlewareRegistry } from '../../shared/routing/route-middleware.ts';
import { type RouteDefinition, routeTable } from '../../shared/routing/routes.ts';
import { type ParsedPage, parsePage } from './parse-page.ts';
import { type Answer, AS_BROWSER, sendRequest } from './send-request.ts';
import type { RunningSite, StartSiteOptions } from './start-site.ts';

export const getPage = (site: RunningSite, path: string) =>
  sendRequest(site.url, path, { headers: AS_BROWSER });
export const getJson = (site: RunningSite, path: string) =>
  sendRequest(site.url, path, { headers: { accept: 'application/json' } });
export const getPayload = (site: RunningSite, path: string) =>
  sendRequest(site.url, payloadAddress(path, '', 'any'));

/** Asserts the parts that all error answers share. @returns the parsed page. */
export function errorPage(answer: Answer, statusCode: number, title: string): ParsedPage {
  expect(answer.status).toBe(statusCode);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers.vary).toMatch(/\baccept\b(?!-)/i);
  const page = parsePage(answer.text);
  expect(page.title.startsWith(title)).toBe(true);
  expect(page.headings).toEqual([title]);
  expect(page.main).toContain(String(statusCode));
  expect(page.robots).toBe('noindex');
  expect(page.canonical).toBeNull();
  expect(page.inline).toEqual([]);
  // The page links to the home page.
  const main = answer.text.slice(answer.text.indexOf('<main'), answer.text.indexOf('</main>'));
  expect(main).toMatch(/<a[^>]*href="\/"/);
  return page;
}

export function errorLines(site: RunningSite, code: LogCode) {
  return site.log.filter(line => line.level === 'error' && line.code === code);
}

export const withMiddleware = (
  middleware: RouteMiddlewareRegistry,
): NonNullable<StartSiteOptions['overrides']> => ({
  middleware,
  routes: routeTable.map(
    (route): RouteDefinition =>
      route.id === 'page' ? { ...route, middleware: Object.keys(middleware) } : route,
  ),
});
