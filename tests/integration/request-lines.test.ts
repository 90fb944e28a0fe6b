import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const LIMIT = 5;
const PROXIED = { TRUST_PROXY: '1', PUBLIC_URL: 'https://www.example.com' };
const limited = (env: Record<string, string> = {}) => ({ env: { ACCESS_LOG_LINES: String(LIMIT), ...env } });

async function ask(site: RunningSite, times: number, path: string, headers: Record<string, string> = {}) {
  for (let time = 0; time < times; time += 1)
    await sendRequest(site.url, path, { headers: { ...AS_BROWSER, ...headers } });
}

const leftOut = ({ log }: RunningSite): number =>
  log
    .filter(({ code }) => code === 'request-lines-left-out')
    .reduce((sum, { requests }) => sum + Number(requests), 0);

/** @returns the number of requests with a status in the metrics. */
async function counted({ opsUrl }: RunningSite, status: number): Promise<number> {
  const { text } = await sendRequest(opsUrl, '/metrics');
  const lines = text.matchAll(
    /^http_server_request_duration_seconds_count\{.*status_code="(\d+)".*\} (\d+)$/gm,
  );
  return Array.from(lines, ([, of, count]) => (Number(of) === status ? Number(count) : 0)).reduce(
    (sum, count) => sum + count,
    0,
  );
}

describe('requests from one client beyond the limit of log entries', () => {
  it('many requests from one client share one log entry a second, and the metrics count them all', async ({
    startOwnSite,
  }) => {
    const site = await startOwnSite(limited());
    const asked = 60;
    // Express sends the first response, and the page cache in memory the others.
    await ask(site, asked / 2, '/about');
    await ask(site, asked / 2, '/no/such/page');
    await eventually(() =>
      expect(site.requests('/about').length + site.requests('/no/such/page').length + leftOut(site)).toBe(
        asked,
      ),
    );
    expect(leftOut(site)).toBeGreaterThan(0);
    expect(await counted(site, 200)).toBe(asked / 2);
    expect(await counted(site, 404)).toBe(asked / 2);
  });

  it('a 5xx or a warning is always logged, even for a busy client', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite(limited());
    backend.on('/api/pages', failing(500, 'InternalServerError'));
    await ask(site, 4 * LIMIT, '/about');
    expect(site.requests('/about').map(({ status }) => status)).toEqual(Array(4 * LIMIT).fill(503));
    await ask(site, 4 * LIMIT, '/robots.txt');
    await ask(site, 1, '/robots.txt', { 'x-forwarded-proto': 'https' });
    expect(site.log.some(({ code }) => code === 'http-forwarded-ignored')).toBe(true);
  });

  it('behind a trusted proxy the log limit applies to each client', async ({ startOwnSite }) => {
    const site = await startOwnSite(limited(PROXIED));
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])
      await ask(site, LIMIT, '/robots.txt', { 'x-forwarded-for': client });
    expect(site.requests('/robots.txt')).toHaveLength(4 * LIMIT);
    await ask(site, 10 * LIMIT, '/favicon.svg', { 'x-forwarded-for': '198.51.100.7, 192.0.2.9' });
    await eventually(() => expect(leftOut(site)).toBeGreaterThan(0));
  });

  it.for([
    ['an ignored X-Forwarded-For', {}, { 'x-forwarded-for': '192.0.2.1' }],
    ['a proxy that names no client', PROXIED, {}],
  ] as const)(
    'each request is logged if many clients may share one IP address: %s',
    async ([, env, headers], { startOwnSite }) => {
      const site = await startOwnSite(limited(env));
      await ask(site, 10 * LIMIT, '/robots.txt', headers);
      expect(site.requests('/robots.txt')).toHaveLength(10 * LIMIT);
    },
  );
});
