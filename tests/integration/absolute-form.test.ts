import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRaw } from '../support/raw-connection.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';

const PUBLIC_URL = 'https://www.example.com';

let site: SampleSite;
beforeAll(async () => {
  site = await startSampleSite({ env: { PUBLIC_URL, ALLOWED_HOSTS: '' } });
});
afterAll(() => site.close());

/** Sends one request and reads its response. */
async function ask(target: string, host = 'www.example.com', method = 'GET', version = 'HTTP/1.1') {
  const raw = await openRaw(
    site.url,
    `${method} ${target} ${version}\r\n${host && `Host: ${host}\r\n`}Connection: close\r\n\r\n`,
  );
  await raw.closed();
  const [head = '', body = ''] = raw.received().split(/\r\n\r\n(.*)/s);
  return { status: raw.statuses()[0], head, body };
}

describe('a request in absolute form', () => {
  it.each([
    ['http://www.example.com/about', '/about'],
    ['https://WWW.example.com:443/about', '/about'],
    ['HTTP://www.example.com/about?utm=1', '/about'],
    ['http://www.example.com', '/'],
    ['http://www.example.com?page=1', '/'],
    ['http://www.example.com/favicon.svg', '/favicon.svg'],
    ['http://www.example.com/robots.txt', '/robots.txt'],
  ])(
    'a request in absolute form gets the response for its path, rendered or stored: %s',
    async (target, path) => {
      // The host of the target overrides the Host header.
      for (const _ of ['made', 'stored']) {
        const answer = await ask(target, 'other.example');
        expect(answer.status).toBe(200);
        expect(answer.body).toBe((await ask(path)).body);
      }
      expect((await ask(target, 'other.example', 'HEAD')).status).toBe(200);
      expect(
        site.log.filter(({ code, path: logged }) => code === 'http-request' && /^http/i.test(String(logged))),
      ).toEqual([]);
    },
  );

  it('a request in absolute form shares the stored page of its path', async () => {
    await ask('/terms');
    const { entries } = site.site.pages.size.positive;
    expect((await ask('http://www.example.com/terms')).head).toMatch(/^Cache-Status: site; hit/m);
    expect(site.site.pages.size.positive.entries).toBe(entries);
  });

  it.each([
    ['http://evil.example/about', 421],
    ['http://www.example.com@evil.example/about', 421],
    ['http://user@www.example.com/about', 421],
    ['http:///about', 400],
    ['ftp://www.example.com/about', 400],
    ['http://www.example.com/a/../about', 400],
    ['http://www.example.com/%zz', 400],
    ['www.example.com/about', 400],
  ])('an absolute target for another host, or an unreadable one, is refused: %s', async (target, status) => {
    expect((await ask(target)).status).toBe(status);
  });

  it('a request in absolute form still requires a Host header', async () => {
    expect((await ask('http://www.example.com/about', '')).status).toBe(400);
  });
});
