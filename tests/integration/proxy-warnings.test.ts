import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import type { LogCode } from '../../server/ops/log-codes.ts';
import { startSampleBackend } from '../support/sample-site.ts';
import { sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const MORE = 'http-too-many-proxies';
const HTTPS = 'http-proxy-reports-https';
const REFUSED = 'http-host-refused';

let backend: EmbeddedBackend;
beforeAll(async () => {
  backend = await startSampleBackend();
});
afterAll(() => backend.close());

let site: RunningSite;
afterEach(() => site.close());
const start = async (env: Record<string, string>) => {
  site = await startSite({ contentBaseUrl: backend.url, env });
};
const ask = (headers: Record<string, string> = {}) => sendRequest(site.url, '/no-such-page', { headers });
const linesOf = (wanted: LogCode) => site.log.filter(({ code }) => code === wanted);

describe('a trusted proxy that reports https', () => {
  it('a proxy that reports https while PUBLIC_URL is http is logged once with the value to set', async () => {
    await start({ TRUST_PROXY: 'loopback', PUBLIC_URL: 'http://www.example.com' });
    for (const protocol of ['', 'http']) await ask(protocol ? { 'x-forwarded-proto': protocol } : {});
    expect(linesOf(HTTPS)).toEqual([]);
    for (let times = 0; times < 3; times += 1) await ask({ 'x-forwarded-proto': 'https' });
    expect(linesOf(HTTPS)).toMatchObject([
      { level: 'warn', remedy: expect.stringContaining('set PUBLIC_URL=https://www.example.com:') },
    ]);
  });

  it.each([
    { TRUST_PROXY: 'loopback', PUBLIC_URL: 'https://www.example.com' },
    { TRUST_PROXY: 'loopback', PUBLIC_URL: 'any' },
    { TRUST_PROXY: '192.0.2.1', PUBLIC_URL: 'http://www.example.com' },
    { PUBLIC_URL: 'http://www.example.com' },
  ])('a proxy that reports https is not logged with %j', async env => {
    await start(env as Record<string, string>);
    await ask({ 'x-forwarded-proto': 'https' });
    expect(linesOf(HTTPS)).toEqual([]);
  });
});

describe('more addresses in X-Forwarded-For than TRUST_PROXY expects', () => {
  it.each([
    ['1', ['192.0.2.1'], ['192.0.2.1, 192.0.2.2']],
    ['2', ['192.0.2.1', '192.0.2.1, 192.0.2.2'], ['192.0.2.1,192.0.2.2, 192.0.2.3']],
  ] as const)(
    'more addresses in X-Forwarded-For than expected are logged once with both numbers: %s',
    async (trusted, fitting, more) => {
      await start({ TRUST_PROXY: trusted, PUBLIC_URL: 'any' });
      for (const addresses of fitting) await ask({ 'x-forwarded-for': addresses });
      expect(linesOf(MORE)).toEqual([]);
      for (const addresses of [...more, ...more]) await ask({ 'x-forwarded-for': addresses });
      expect(linesOf(MORE)).toMatchObject([
        {
          level: 'warn',
          ...{ addresses: Number(trusted) + 1, expected: Number(trusted) },
          remedy: expect.stringContaining('set TRUST_PROXY to the number of proxies'),
        },
      ]);
    },
  );

  it('more addresses in X-Forwarded-For are not logged where TRUST_PROXY lists addresses', async () => {
    await start({ TRUST_PROXY: '127.0.0.1, ::1', PUBLIC_URL: 'any' });
    await ask({ 'x-forwarded-for': '192.0.2.1, 192.0.2.2, 192.0.2.3' });
    expect(linesOf(MORE)).toEqual([]);
  });
});

describe('a host that is refused with 421', () => {
  const ENV = { PUBLIC_URL: 'https://www.example.com', ALLOWED_HOSTS: '', TRUST_PROXY: 'loopback' };

  it('a refused host is logged once: a trusted proxy’s forwarded host or, without one, the Host header', async () => {
    await start(ENV);
    for (const host of ['Shop.example.com', 'shop.example.com', 'www.example.com']) await ask({ host });
    await ask({ host: 'www.example.com', 'x-forwarded-host': 'inner.example.com:8080' });
    expect(linesOf(REFUSED)).toMatchObject([
      { level: 'warn', host: 'shop.example.com', remedy: expect.stringContaining('ALLOWED_HOSTS') },
      { level: 'warn', host: 'inner.example.com:8080' },
    ]);
  });

  it('refused hosts are logged for at most twenty hosts, on short lines, and the metrics count all', async () => {
    await start(ENV);
    expect((await ask({ host: `a\tb${'x'.repeat(4_000)}` })).status).toBe(421);
    expect(linesOf(REFUSED)[0]?.host).toMatch(/^a bx{250}$/);
    for (let number = 0; number < 40; number += 1)
      expect((await ask({ host: `h${number}.example` })).status).toBe(421);
    expect(linesOf(REFUSED)).toHaveLength(20);
    const { text } = await sendRequest(site.opsUrl, '/metrics');
    const counts = text.matchAll(
      /^http_server_request_duration_seconds_count\{.*status_code="421".*\} (\d+)$/gm,
    );
    expect(Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0)).toBe(41);
  });

  it('no host is logged as refused where every host is served', async () => {
    await start({ PUBLIC_URL: 'any' });
    await ask({ host: 'not a host' });
    expect(linesOf(REFUSED)).toEqual([]);
  });
});
