import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_ADDRESS_LENGTH } from '../../server/http/limits/limits.ts';
import { type EditableBackend, startEditableBackend } from '../support/editable-backend.ts';
import { openRaw } from '../support/raw-connection.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let site: SampleSite;
beforeAll(async () => {
  site = await startSampleSite();
});
afterAll(() => site.close());

const get = (path: string) => sendRequest(site.url, path, { headers: AS_BROWSER });

/** @returns the address at the end of the redirects, or the status if the last response is no page. */
async function endOf(location: string): Promise<string | number> {
  const { status, headers } = await get(location);
  if (status === 308) return endOf(String(headers.location));
  return status === 200 ? location : status;
}

/** Other spellings of the address of a page. */
const TRICKS: readonly ((path: string) => string)[] = [
  path => `/${path}`,
  path => `//${path}`,
  path => path.replace(/\/(?=[^/]+$)/, '//'),
  path => `${path}/`,
  path => `${path}//`,
  path => `${path}/.`,
  path => `${path}/./`,
  path => `${path}/../${path.split('/').at(-1)}`,
  path => `/x/..${path}`,
  path => `/%2e${path}`,
  path => `/%2E%2E${path}`,
  path => `/x/%2e%2e${path}`,
  path => `/x/.%2e${path}`,
  path => `/..%2f${path.slice(1)}`,
  path => `/%2f${path.slice(1)}`,
  path => `/%5c${path.slice(1)}`,
  path => `/\\${path.slice(1)}`,
  path => path.replaceAll('/', '\\'),
  path => path.replace(/.$/, letter => `%${letter.charCodeAt(0).toString(16)}`),
  path => path.replace(/.$/, letter => `%25${letter.charCodeAt(0).toString(16)}`),
  path => `${path};x.css`,
  path => `${path};jsessionid=1`,
  path => `${path}/x.css`,
  path => `${path}/;x.css`,
  path => `${path}.css`,
  path => `${path}.`,
  path => `${path}...`,
  path => `${path}%2e`,
  path => `${path}%20`,
  path => `${path}+`,
  path => `${path}%00`,
  path => `${path}%00.css`,
  path => `${path}%0a`,
  path => `${path}%0d%0aX-Injected:%201`,
  path => `${path}%09`,
  path => `${path}%7f`,
  path => `${path}%3f`,
  path => `${path}%23`,
  path => `${path}%c0%af`,
  path => `${path}%ff`,
  path => `${path}%u0061`,
  path => `${path}%`,
  path => `${path}%e2%80%8b`,
  path => `${path}%ef%bb%bf`,
  path => path.toUpperCase(),
  path => path.replace(/[a-z]/, letter => letter.toUpperCase()),
  path => path.replace(/[a-z]/, letter => `%${letter.toUpperCase().charCodeAt(0).toString(16)}`),
  path => path.replace(/a/, '%c3%a1'),
  path => path.replace(/k/, '%e2%84%aa'),
  path => path.replace(/s/, '%c5%bf'),
];

/** Pages whose address is respelled. Payloads are tested too, because they have separate addresses. */
const PAGES = Object.values(SAMPLE_PATHS).filter(path => path !== '/');

describe('a respelled address', () => {
  it.each(PAGES)('a respelled address redirects to the page or gives a 404: %s', async page => {
    const own = await get(page);
    expect(own.status).toBe(200);
    for (const path of new Set(TRICKS.map(trick => trick(page)))) {
      if (path === page) continue;
      for (const address of [path, `${path}/_payload.json`]) {
        const answer = await get(address);
        if (answer.status === 308) {
          // The redirect leads to the page's canonical address, or to an address without a page.
          const location = String(answer.headers.location);
          expect([address, location]).toEqual([address, expect.stringMatching(/^\/[^/\\]/)]);
          const expected = address.endsWith('.json') ? `${page}/_payload.json` : page;
          expect([address, await endOf(location)]).toEqual([address, expect.toBeOneOf([expected, 404])]);
        } else if (address.endsWith('.json') && answer.status === 200) {
          // A payload has the status 200 and holds the redirect or the error.
          expect([address, answer.json()]).toEqual([
            address,
            expect.toSatisfy(
              (payload: Record<string, unknown>) => 'redirect' in payload || 'error' in payload,
            ),
          ]);
        } else {
          expect([address, answer.status]).toEqual([address, expect.toBeOneOf([400, 404])]);
        }
        expect(answer.headers['x-injected']).toBeUndefined();
      }
    }
    const stored = Array.from(site.site.pages.entries(), ({ key }) => key).filter(key =>
      key.startsWith('page '),
    );
    // The cache key of a page that reads the device ends with the device class.
    const addresses = Object.values(SAMPLE_PATHS).map(path => `${site.url}${path}`);
    expect(stored.filter(key => !addresses.includes(key.split(' ')[1] ?? ''))).toEqual([]);
  });

  it.each([
    ['no slash', 'about'],
    ['an asterisk', '*'],
    ['an address of another protocol', 'ftp://www.example.com/about'],
  ])('the request target %s is refused', async (_what, target) => {
    const raw = await openRaw(
      site.url,
      `GET ${target} HTTP/1.1\r\nHost: ${new URL(site.url).host}\r\nAccept: text/html\r\n\r\n`,
    );
    expect(await raw.answers(1)).toEqual([400]);
    raw.socket.destroy();
  });
});

describe('a backend that compares slugs loosely', () => {
  let backend: EditableBackend;
  let loose: RunningSite;
  beforeAll(async () => {
    backend = await startEditableBackend();
    // Like MySQL the backend ignores accents, case and trailing spaces.
    backend.on('/api/pages', backend.answerNow('page', 'filters[slug][$eq]=about'));
    loose = await startSite({ contentBaseUrl: backend.url });
  });
  afterAll(async () => {
    await loose.close();
    await backend.close();
  });

  it.each(['/about%20', '/ab%C3%B6ut', '/about.', '/anything'])(
    'the address %s is a 404, although the backend would find a page for it',
    async path => {
      expect((await sendRequest(loose.url, path)).status).toBe(404);
    },
  );

  it('a page is served at its own address although the backend compares slugs loosely', async () => {
    expect((await sendRequest(loose.url, '/about')).status).toBe(200);
  });
});

describe('an address', () => {
  const padded = (length: number, path = '/about?x=') => path + 'a'.repeat(length - path.length);

  it.each([
    '/about?x=',
    '/no-such-page-',
    '/favicon.svg?x=',
    '/about/_payload.json?x=',
    '/api/email/send?x=',
  ])('an address of 2,048 characters is accepted, and a longer one gives a 414: %s', async path => {
    const [fits, tooLong] = [padded(MAX_ADDRESS_LENGTH, path), padded(MAX_ADDRESS_LENGTH + 1, path)];
    expect((await get(fits)).status).not.toBe(414);
    const answer = await get(tooLong);
    expect(answer.status).toBe(414);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await get(fits)).status).not.toBe(414);
  });

  it('an address too long for the site is refused before the cache lookup', async () => {
    expect((await get('/about')).status).toBe(200);
    expect((await get(padded(2_048))).headers['cache-status']).toContain('hit');
    expect((await get(padded(2_049))).status).toBe(414);
  });
});
