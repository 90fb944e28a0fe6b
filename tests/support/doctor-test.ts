import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { selectionOf } from '../../server/content/requests/content-query.ts';
import { examine, type Report } from '../../server/doctor/examine.ts';
import type { Finding } from '../../server/doctor/finding.ts';
import { servedType } from '../../server/wire/described-types.ts';
import { isComponentOrJson } from '../../shared/content/descriptions.ts';
import { failing, sendJson } from './fake-backend.ts';
import { type Relay, startRelay } from './relay.ts';
import { startSampleBackend } from './sample-site.ts';

type Row = { attributes: Record<string, unknown> };
/** An answer of the backend, in the form of Strapi 5 with the header for the form of Strapi 4. */
export interface CmsAnswer {
  data: Row | Row[] | null;
  meta?: unknown;
}

/** A complete content backend, into which a test injects faults. */
export interface SickCms extends Relay {
  /** Alters the answers of a type. @param isMeant selects calls by their query */
  alter(
    type: string,
    change: (answer: CmsAnswer, query: URLSearchParams) => unknown,
    isMeant?: (query: URLSearchParams, authorization: string | undefined) => boolean,
  ): void;
  /** Answers a call as the complete backend does, even if the type has a fault. */
  pass(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Removes a field from a type, as the Content-Type Builder does. Calls that name it are refused. */
  takeAway(type: string, field: string): void;
  /**
   * Holds the components of a type as JSON with the same keys. Calls that populate one of them are refused.
   */
  holdAsJson(type: string): void;
}

const V4 = { 'Strapi-Response-Format': 'v4' };
export const SEND = '/api/email/send';

/** @returns the rows of an answer. */
export function rowsIn({ data }: CmsAnswer): Row[] {
  return Array.isArray(data) ? data : data ? [data] : [];
}

/** @returns whether a call requests drafts. */
export const isDraft = (query: URLSearchParams) => query.get('status') === 'draft';
/** Makes drafts of the rows of an answer. */
export const asDrafts = (answer: CmsAnswer) => {
  for (const { attributes } of rowsIn(answer)) attributes.publishedAt = null;
  return answer;
};
/** Removes a field from the rows of an answer. */
export const without = (field: string) => (answer: CmsAnswer) => {
  for (const { attributes } of rowsIn(answer)) delete attributes[field];
  return answer;
};

/**
 * Gives each test file a backend, faultless when a test begins, and a function that examines the backend.
 */
export const doctorTest = test
  .extend('cms', { scope: 'file' }, async ({}, { onCleanup }): Promise<SickCms> => {
    const backend = await startSampleBackend();
    const relay = await startRelay(backend.url);
    onCleanup(async () => {
      await relay.close();
      await backend.close();
    });
    const alter: SickCms['alter'] = (type, change, isMeant = () => true) => {
      relay.on(`/api/${type}`, async (req, res) => {
        // A sound CMS refuses drafts without its token, and a faulty CMS may serve them.
        const query = new URL(req.url ?? '/', backend.url).searchParams;
        const asked = req.url?.replace('status=draft', '');
        const answer = await fetch(backend.url + asked, { headers: V4 });
        const body = (await answer.json()) as CmsAnswer;
        const isAltered = answer.ok && isMeant(query, req.headers.authorization);
        sendJson(res, answer.status, isAltered ? change(body, query) : body);
      });
    };
    const pass: SickCms['pass'] = async (req, res) => {
      const answer = await fetch(`${backend.url}${req.url}`, { headers: V4 });
      sendJson(res, answer.status, await answer.json());
    };
    return {
      ...relay,
      alter,
      pass,
      holdAsJson(path) {
        relay.on(`/api/${path}`, async (req, res) => {
          const query = new URL(req.url ?? '/', backend.url).search;
          const type = servedType(path);
          if (!type) throw new Error(`There is no type '${path}'`);
          const components = Object.entries(type.fields).flatMap(([name, field]) =>
            isComponentOrJson(field) ? [name] : [],
          );
          const refused = components.find(field => decodeURIComponent(query).includes(`populate[${field}]`));
          if (refused) return failing(400, `Invalid key ${refused}`)(req, res);
          const all = selectionOf(type, 'full', () => false).query;
          const answer = await fetch(`${backend.url}/api/${path}?${all}`, { headers: V4 });
          sendJson(res, answer.status, await answer.json());
        });
      },
      takeAway(type, field) {
        relay.on(`/api/${type}`, async (req, res) => {
          const { search } = new URL(decodeURIComponent(req.url ?? '/'), backend.url);
          if (new RegExp(`=${field}(?:&|$)|\\[${field}\\]`).test(search)) {
            return failing(400, `Invalid key ${field}`)(req, res);
          }
          const answer = await fetch(backend.url + req.url, { headers: V4 });
          const body = (await answer.json()) as CmsAnswer;
          for (const { attributes } of rowsIn(body)) delete attributes[field];
          sendJson(res, answer.status, body);
        });
      },
    };
  })
  .extend('mended', { auto: true }, async ({ cms }) => {
    cms.reset();
    cms.alter('articles', answer => answer);
    cms.on(SEND, failing(400, 'There is no such form'));
  })
  .extend('examined', async ({ cms }) => {
    return async (
      env: Readonly<Record<string, string>> = {},
      { posts = false }: { posts?: boolean } = {},
    ): Promise<Report> => {
      const config = readConfig({ CONTENT_BASE_URL: cms.url, CONTENT_TIMEOUT_MS: '20000', ...env });
      const signal = new AbortController().signal;
      const baseUrl = config.contentBaseUrl ?? cms.url;
      return examine({ config, baseUrl, posts, concurrency: 4, signal });
    };
  });

/** @returns a finding as people read it. */
export function lineOf({ severity, about, what, remedy, pages }: Finding): string {
  return `${severity} ${about}: ${what} → ${remedy} (${pages})`;
}
