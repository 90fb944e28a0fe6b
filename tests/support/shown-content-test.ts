import { expect } from 'vitest';
import type { KnownProblem } from '../../server/decode/problem-log.ts';
import { askOps, TOKEN } from './invalidation-test.ts';
import { AS_BROWSER, sendRequest } from './send-request.ts';
import { backendTest } from './site-test.ts';
import type { LogLine, RunningSite } from './start-site.ts';

/** The page of tests about visible content of an editor, and the id of its row. */
export const SHOWN_PATH = '/shown';
export const SHOWN_ID = 'shown-page';

/** A site on content of the test. Its content is always stale, so each request begins a revalidation. */
export interface ShownSite extends RunningSite {
  /** @returns the HTML of an address, whose status is 200. */
  html(path?: string): Promise<string>;
  /** @returns the problems that `GET /cache` lists about a row. */
  problems(id?: string | null): Promise<readonly KnownProblem[]>;
  /** @returns the log entries about a row's content. */
  lines(id?: string | null): readonly LogLine[];
}

/** Gives each test a site on the recorded content and one page whose fields the test chooses. */
export const shownTest = backendTest
  .extend('edit', async ({ backend }) => (fields: Record<string, unknown>): void => {
    const own = { id: 7, documentId: SHOWN_ID, title: 'Shown', slug: SHOWN_PATH.slice(1) };
    backend.on('/api/pages', { data: [{ ...own, body: null, ...fields }] });
  })
  .extend('startShown', async ({ startOwnSite }) => async (): Promise<ShownSite> => {
    const site = await startOwnSite({ env: { OPS_TOKEN: TOKEN, CONTENT_TTL_MS: '1' } });
    return {
      ...site,
      async html(path = SHOWN_PATH) {
        const answer = await sendRequest(site.url, path, { headers: AS_BROWSER });
        expect(answer.status).toBe(200);
        return answer.text;
      },
      async problems(id = SHOWN_ID) {
        const listing = await askOps(site.opsUrl, 'GET', '/cache', TOKEN);
        const { problems } = listing.json<{ problems: KnownProblem[] }>();
        return problems.filter(problem => problem.id === id);
      },
      lines: (id = SHOWN_ID) => site.log.filter(line => line.field !== undefined && (line.id ?? null) === id),
    };
  });
