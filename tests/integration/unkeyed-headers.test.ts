import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inFull, some } from '../support/in-full.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';

const EVIL = 'evil.example';

/** Headers that some server, framework or cache trusts or once trusted, and many others. */
const NAMED: readonly (readonly [name: string, value: string])[] = [
  ['X-Forwarded-Host', EVIL],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Proto', 'javascript'],
  ['X-Forwarded-Scheme', 'nothttps'],
  ['X-Forwarded-Port', '1'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-Server', EVIL],
  ['X-Forwarded-Prefix', `//${EVIL}`],
  ['X-Forwarded-Path', '/contacts'],
  ['X-Forwarded-Ssl', 'on'],
  ['Forwarded', `for=127.0.0.1;host=${EVIL};proto=https`],
  ['X-Host', EVIL],
  ['X-HTTP-Host-Override', EVIL],
  ['X-Original-Host', EVIL],
  ['X-Original-URL', '/contacts'],
  ['X-Rewrite-URL', '/contacts'],
  ['X-Override-URL', '/contacts'],
  ['X-Request-URI', '/contacts'],
  ['X-Backend-Host', EVIL],
  ['X-Real-IP', '127.0.0.1'],
  ['X-Client-IP', '127.0.0.1'],
  ['X-Originating-IP', '127.0.0.1'],
  ['True-Client-IP', '127.0.0.1'],
  ['CF-Connecting-IP', '127.0.0.1'],
  ['CF-IPCountry', 'XX'],
  ['CF-Visitor', '{"scheme":"https"}'],
  ['Front-End-Https', 'on'],
  ['X-URL-Scheme', 'https'],
  ['X-HTTP-Method-Override', 'POST'],
  ['X-HTTP-Method', 'DELETE'],
  ['X-Method-Override', 'HEAD'],
  ['X-Middleware-Subrequest', 'middleware'],
  ['X-Invoke-Path', '/contacts'],
  ['X-Invoke-Status', '500'],
  ['X-Nextjs-Data', '1'],
  ['RSC', '1'],
  ['X-Requested-With', 'XMLHttpRequest'],
  ['X-Debug', '1'],
  ['X-Preview', '1'],
  ['X-Wap-Profile', `http://${EVIL}/wap.xml`],
  ['Accept-Language', 'fr'],
  ['Accept-Language', 'ar;q=1, he'],
  ['Accept-Charset', 'utf-16'],
  ['Accept', 'application/json'],
  ['Accept', '*/*'],
  ['Accept', 'image/png'],
  ['Accept-CH', 'DPR'],
  ['Sec-CH-UA-Mobile', '?1'],
  ['Sec-CH-UA-Platform', '"Android"'],
  ['Sec-CH-Prefers-Color-Scheme', 'dark'],
  ['Sec-Fetch-Dest', 'empty'],
  ['Sec-Fetch-Mode', 'cors'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-GPC', '1'],
  ['Save-Data', 'on'],
  ['ECT', '2g'],
  ['DPR', '3'],
  ['Viewport-Width', '320'],
  ['Origin', `https://${EVIL}`],
  ['Origin', 'null'],
  ['Referer', `https://${EVIL}/`],
  ['Cookie', 'session=1; theme=dark; preview=1; strapi_jwt=x'],
  ['Authorization', 'Bearer forged'],
  ['Proxy-Authorization', 'Basic Zm9yZ2Vk'],
  ['Proxy', `http://${EVIL}`],
  ['Cache-Control', 'no-cache'],
  ['Cache-Control', 'no-store'],
  ['Cache-Control', 'only-if-cached'],
  ['Pragma', 'no-cache'],
  ['If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['If-Range', '"x"'],
  ['If-Match', '"x"'],
  ['If-None-Match', '"x"'],
  ['Range', 'bytes=0-0'],
  ['Expect', '100-continue'],
  ['TE', 'trailers'],
  ['Upgrade', 'h2c'],
  ['Upgrade-Insecure-Requests', '1'],
  ['Via', `1.1 ${EVIL}`],
  ['Warning', '199 - x'],
  ['Max-Forwards', '0'],
  ['From', `a@${EVIL}`],
  ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['Purpose', 'prefetch'],
  ['Sec-Purpose', 'prefetch;prerender'],
  ['X-Request-Id', 'forged'],
  ['X-Correlation-Id', 'forged'],
  ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['X-Amzn-Trace-Id', 'Root=1-67891233-abcdef012345678912345678'],
  ['X-Cache-Key', 'forged'],
  ['X-Cache-Bypass', '1'],
  ['Surrogate-Capability', 'x="ESI/1.0"'],
  ['Strapi-Response-Format', 'v4'],
  ['Content-Type', 'application/json'],
  ['X-Oversized', 'x'.repeat(8_000)],
  ['X-Markup', '<script>alert(1)</script>'],
];
const HEADERS = [
  ...NAMED,
  ...Array.from(
    { length: 200 - NAMED.length },
    (_, index) => [`X-Unknown-${index}`, `${EVIL}-${index}`] as const,
  ),
];

let site: SampleSite;
let proxied: SampleSite;
beforeAll(async () => {
  const PUBLIC_URL = 'https://www.example.com';
  [site, proxied] = await Promise.all([
    startSampleSite(),
    startSampleSite({ env: { PUBLIC_URL, TRUST_PROXY: 'off' } }),
  ]);
});
afterAll(() => Promise.all([site.close(), proxied.close()]));

const CLEAN = {
  ...AS_BROWSER,
  'accept-encoding': 'br',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0',
};

/** @returns everything that a visitor gets, except headers that differ between responses. */
function contentOf({ status, headers, body }: Answer): unknown {
  const { 'x-request-id': _id, date: _date, age: _age, 'cache-status': _cache, ...rest } = headers;
  return { status, headers: rest, body: body.toString('base64') };
}

describe.each([
  ['without PUBLIC_URL', () => site],
  ['with PUBLIC_URL', () => proxied],
])('%s', (_what, running) => {
  it('the list has 200 headers', () => {
    expect(HEADERS).toHaveLength(200);
  });

  it.each(['/about', '/', '/blog/_payload.json'])(
    'no header changes %s',
    async path => {
      const short = path === '/about' ? NAMED : some(HEADERS, 12);
      const tried = inFull ? HEADERS : short;
      const { url, site: own } = running();
      const get = (headers: Record<string, string>) => sendRequest(url, path, { headers });
      // The page for a plain request.
      own.pages.invalidate(['*']);
      const clean = contentOf(await get(CLEAN));
      for (const [name, value] of tried) {
        // The request with the header comes first, so the page is rendered or revalidated for it. Then a
        // plain request follows.
        own.pages.invalidate(['*']);
        const tricked = await get({ ...CLEAN, [name.toLowerCase()]: value });
        expect([name, tricked.text.includes(EVIL)]).toEqual([name, false]);
        expect([name, contentOf(await get(CLEAN))]).toEqual([name, clean]);
      }
    },
    120_000,
  );

  it('all headers together do not change an uncached page', async () => {
    const { url } = running();
    const all = Object.fromEntries(
      HEADERS.filter(([name]) => !['X-Oversized', 'Expect', 'Upgrade', 'Content-Type'].includes(name)).map(
        ([name, value]) => [name.toLowerCase(), value],
      ),
    );
    const tricked = await sendRequest(url, '/contacts', { headers: { ...CLEAN, ...all } });
    expect(tricked.text).not.toContain(EVIL);
    const first = contentOf(await sendRequest(url, '/contacts', { headers: CLEAN }));
    running().site.pages.invalidate(['*']);
    expect(contentOf(await sendRequest(url, '/contacts', { headers: CLEAN }))).toEqual(first);
  });
});
