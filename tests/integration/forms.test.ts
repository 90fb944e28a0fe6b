import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { type Answer, AS_BROWSER, postForm, postJson, sendRequest } from '../support/send-request.ts';
import { type RunningSite, type StartSiteOptions, startSite } from '../support/start-site.ts';

const SEND = '/api/email/send';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** The tests share an address. */
const MANY = { FORM_RATE_LIMIT: '10000' };

let sample: SampleSite;
let backend: FakeBackend;
let site: RunningSite;

beforeAll(async () => {
  sample = await startSampleSite({ env: MANY });
  backend = await startFakeBackend();
  site = await startSite({ contentBaseUrl: backend.url, env: MANY });
});
beforeEach(() => backend.reset());
afterAll(async () => {
  await Promise.all([sample.close(), site.close()]);
  await backend.close();
});

const received = () => backend.callsTo(SEND);
const bodies = () => received().map(({ body }): unknown => JSON.parse(body));
const getPage = (path: string, base = sample.url) => sendRequest(base, path, { headers: AS_BROWSER });

/** Words that no other test has sent: the same words are the same message. */
const words = () => ({
  form: 'contact',
  name: 'Ada Byron',
  email: 'ada@example.com',
  message: `Two lines,\nof text ${randomUUID()}.`,
});

/** Nothing is on its way to the backend any more. */
async function quiet(of = site): Promise<void> {
  await eventually(() => expect(of.site.outbox.state.waiting).toBe(0));
}

async function withSite(
  options: Omit<StartSiteOptions, 'contentBaseUrl'>,
  use: (site: RunningSite) => unknown,
) {
  const other = await startSite({ contentBaseUrl: backend.url, ...options });
  try {
    await use(other);
  } finally {
    await other.close();
  }
}

describe('a message as JSON', () => {
  it('is taken, and handed to the backend as a JSON string of its fields', async () => {
    const message = words();
    const key = randomUUID();
    const answer = await postJson(site.url, SEND, {
      ...message,
      company: 'Engines Ltd',
      topic: '',
      extra: 'not asked for',
      page: '/contacts',
      website: '',
      idempotencyKey: key,
    });
    expect([answer.status, answer.json()]).toEqual([202, { sent: 'contact' }]);
    expect(answer.headers['cache-control']).toBe('no-store');
    await quiet();
    expect(received()).toMatchObject([
      { method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': key } },
    ]);
    expect(bodies()).toEqual([{ ...message, company: 'Engines Ltd' }]);
  });

  it('may be a subscription', async () => {
    const email = `${randomUUID()}@example.com`;
    const answer = await postJson(site.url, SEND, { form: 'subscribe', email: ` ${email} ` });
    expect([answer.status, answer.json()]).toEqual([202, { sent: 'subscribe' }]);
    await quiet();
    expect(bodies()).toEqual([{ form: 'subscribe', email }]);
  });

  it.each<[what: string, value: unknown, fields: string[]]>([
    ['nothing', {}, ['form']],
    ['an unknown form', { form: 'other', email: 'ada@example.com' }, ['form']],
    ['empty fields', { form: 'contact', name: ' ', email: '', message: '' }, ['email', 'message', 'name']],
    ['no address', { ...words(), email: 'ada' }, ['email']],
    ['two addresses', { ...words(), email: 'ada@example.com, eve@example.com' }, ['email']],
    ['a header in the name', { ...words(), name: 'Ada\r\nBcc: eve@example.com' }, ['name']],
    ['a header in the address', { ...words(), email: 'ada@example.com\nBcc: eve@example.com' }, ['email']],
    ['a header in the topic', { ...words(), topic: 'Hello\nBcc: eve@example.com' }, ['topic']],
    ['too long a message', { ...words(), message: 'x'.repeat(5_001) }, ['message']],
    ['fields of other types', { ...words(), name: { first: 'Ada' }, message: 7 }, ['message', 'name']],
    ['a list', [words()], ['form']],
    ['an odd key', { ...words(), idempotencyKey: 'x\r\ny' }, ['idempotencyKey']],
  ])('%s is refused with 422, field by field', async (_what, value, fields) => {
    const answer = await postJson(site.url, SEND, value);
    expect(answer.status).toBe(422);
    const { errors, message: sentence } = answer.json<{ errors: Record<string, string>; message: string }>();
    expect(Object.keys(errors).sort()).toEqual(fields);
    expect(sentence).toBe('Please check the marked fields.');
    expect(site.site.outbox.state.waiting).toBe(0);
    expect(received()).toEqual([]);
  });

  it('is answered in JSON whenever a program asks, a form post too', async () => {
    const answer = await sendRequest(site.url, SEND, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(words()).toString(),
    });
    expect([answer.status, answer.json()]).toEqual([202, { sent: 'contact' }]);
  });

  it('leaves no word of it in the log', async () => {
    const message = words();
    expect((await postJson(site.url, SEND, message)).status).toBe(202);
    expect((await postJson(site.url, SEND, { ...message, name: '' })).status).toBe(422);
    await quiet();
    expect(JSON.stringify(site.log)).not.toMatch(/Ada Byron|ada@example\.com|Two lines/);
  });
});

describe('the same message', () => {
  it('under the same key is one, while it waits and after it was delivered', async () => {
    const message = { ...words(), idempotencyKey: randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => postJson(site.url, SEND, message)));
    await quiet();
    answers.push(await postJson(site.url, SEND, message));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    await quiet();
    expect(received()).toHaveLength(1);
  });

  it('without a key is one for the same words from the same address', async () => {
    const message = words();
    for (const answer of [
      await postJson(site.url, SEND, message),
      await postForm(site.url, SEND, message),
      await postForm(site.url, SEND, { ...message, message: message.message.replace('\n', '\r\n') }),
    ])
      expect([202, 303]).toContain(answer.status);
    await postForm(site.url, SEND, { ...message, name: 'Somebody Else' });
    await quiet();
    expect(bodies()).toEqual(expect.arrayContaining([message, { ...message, name: 'Somebody Else' }]));
    expect(received()).toHaveLength(2);
    for (const { headers } of received()) expect(headers['idempotency-key']).toMatch(UUID);
  });

  it('is still one after a restart', async () => {
    const message = { ...words(), idempotencyKey: randomUUID() };
    const dataDir = site.site.config.dataDir;
    expect((await postJson(site.url, SEND, message)).status).toBe(202);
    await quiet();
    await withSite({ env: MANY, dataDir }, async next => {
      expect((await postJson(next.url, SEND, message)).status).toBe(202);
      await quiet(next);
    });
    expect(received()).toHaveLength(1);
  });

  it('leaves nothing of itself on the disk once it is delivered, but the hash of its key', async () => {
    const { dataDir } = site.site.config;
    expect((await postJson(site.url, SEND, words())).status).toBe(202);
    await quiet();
    const files = await readdir(path.join(dataDir, 'outbox'), { recursive: true, withFileTypes: true });
    const found = files.filter(file => file.isFile());
    expect(new Set(found.map(({ parentPath }) => path.basename(parentPath)))).toEqual(new Set(['delivered']));
    for (const { name, parentPath } of found) {
      expect(name).toMatch(/^[0-9a-f]{32}$/);
      expect(await readFile(path.join(parentPath, name), 'utf8')).toBe('');
    }
  });
});

describe('without JavaScript', () => {
  const fields = () => ({ ...words(), page: '/contacts', website: '' });
  const typedInto = (answer: Answer, name: string) => {
    const page = parsePage(answer.text);
    return page.all('input').find(({ properties }) => properties.id === name)?.properties.value;
  };

  it('a message is thanked for by a redirect to its page, at a place that is there', async () => {
    for (const [form, page] of [
      ['contact', '/contacts'],
      ['subscribe', '/about'],
    ] as const) {
      const answer = await postForm(sample.url, SEND, { ...fields(), form, page });
      expect(answer.status).toBe(303);
      expect(answer.headers['cache-control']).toBe('no-store');
      const location = new URL(answer.headers.location ?? '', sample.url);
      expect(location.pathname + location.search).toBe(`${page}?sent=${form}`);
      const thanks = await getPage(location.pathname + location.search);
      expect(thanks.status).toBe(200);
      const { main, all } = parsePage(thanks.text);
      expect(form === 'contact' ? main : thanks.text).toMatch(/Thank you\./);
      const ids = ['section', 'div', 'form'].flatMap(all).map(({ properties }) => properties.id);
      expect(ids).toContain(location.hash.slice(1));
    }
  });

  it('a page that is stored thanks nobody, and holds neither a key nor a time', async () => {
    const twice = [
      await getPage('/contacts'),
      await getPage('/contacts?sent=contact'),
      await getPage('/contacts'),
    ];
    expect(twice.map(({ text }) => /Thank you\./.test(text))).toEqual([false, true, false]);
    expect(twice[2]?.text).toBe(twice[0]?.text);
    const hidden = parsePage(twice[0]?.text ?? '')
      .all('input')
      .filter(({ properties }) => properties.type === 'hidden')
      .map(({ properties }) => [properties.name, properties.value]);
    expect(hidden).toEqual([
      ['form', 'contact'],
      ['page', '/contacts'],
      ['form', 'subscribe'],
      ['page', '/contacts'],
    ]);
  });

  it('leads back to the page of the list that the reader was on, and to no other query', async () => {
    const referer = `${sample.url}/blog/guides?page=2&utm_source=x`;
    const post = (headers: Record<string, string>) =>
      sendRequest(sample.url, SEND, {
        method: 'POST',
        headers: { ...AS_BROWSER, ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          form: 'subscribe',
          email: `${randomUUID()}@example.com`,
          page: '/blog/guides',
        }).toString(),
      });
    expect((await post({ referer })).headers.location).toBe('/blog/guides?page=2&sent=subscribe#subscribe');
    for (const other of ['https://evil.example/blog/guides?page=2', `${sample.url}/about?page=2`, 'x'])
      expect((await post({ referer: other })).headers.location).toBe('/blog/guides?sent=subscribe#subscribe');
  });

  it('an invalid message comes back with what was typed and what is wrong', async () => {
    const answer = await postForm(sample.url, SEND, {
      ...fields(),
      name: '"><script>alert(1)</script>',
      email: 'nobody" onfocus="alert(1)',
      message: '</textarea><script>alert(2)</script>',
    });
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(typedInto(answer, 'contact-name')).toBe('"><script>alert(1)</script>');
    expect(typedInto(answer, 'contact-email')).toBe('nobody" onfocus="alert(1)');
    const page = parsePage(answer.text);
    expect(page.main).toContain('</textarea><script>alert(2)</script>');
    expect(page.main).toContain('Please check the marked fields.');
    expect(page.main).toContain('Please enter a complete e-mail address');
    expect(page.inline).toEqual([]);
    // Nothing takes over a page whose address is not its own.
    expect(page.data).toBeNull();
    const marked = page.all('input').filter(({ properties }) => properties.ariaInvalid === 'true');
    expect(marked.map(({ properties }) => properties.id)).toEqual(['contact-email']);
    const links = page.all('a').map(({ properties }) => properties.href);
    expect(links).toContain('#contact-email');
  });

  it('what was typed on a page that is none, or has moved, comes back on the home page', async () => {
    for (const page of ['/no-such-page', '/feed', '/About', '/blog/none/none']) {
      const answer = await postForm(sample.url, SEND, {
        form: 'subscribe',
        email: 'ada@example',
        page,
      });
      expect([page, answer.status]).toEqual([page, 422]);
      expect(typedInto(answer, 'subscribe-email')).toBe('ada@example');
    }
  });

  it.each([
    '/\\evil.example',
    '//evil.example',
    'https://evil.example/',
    '/%zz',
    '/a\r\nSet-Cookie: a=b',
    '/..//evil.example',
    '/no/such/route/at/all',
    'javascript:alert(1)',
    '',
  ])('a message that claims to have stood on %o leads to a page of ours', async page => {
    const answer = await postForm(sample.url, SEND, { ...fields(), page });
    expect(answer.status).toBe(303);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const location = new URL(answer.headers.location ?? '', sample.url);
    expect(location.origin).toBe(sample.url);
    expect(location.pathname).toBe('/');
    const invalid = await postForm(sample.url, SEND, { ...fields(), email: 'no', page });
    expect(invalid.status).toBe(422);
  });
});

describe('robots', () => {
  it.each<[what: string, extra: Record<string, string>, says: RegExp]>([
    ['fills in the trap', { website: 'https://spam.example' }, /This must stay empty/],
    ['is quicker than a page’s script', { elapsedMs: '40' }, /sooner than anybody can type/],
  ])(
    'one that %s is refused, and a person that was taken for one loses nothing',
    async (_what, extra, says) => {
      await quiet(sample);
      const message = { ...words(), page: '/contacts' };
      const answer = await postJson(sample.url, SEND, { ...message, ...extra });
      expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(says)]);
      const page = await postForm(sample.url, SEND, { ...message, ...extra });
      expect([page.status, page.text]).toEqual([422, expect.stringMatching(says)]);
      const { main, all } = parsePage(page.text);
      expect(main).toContain(message.message);
      const trap = all('input').find(({ properties }) => properties.id === 'contact-website');
      expect(trap?.properties.value).toBeUndefined();
      expect(trap !== undefined).toBe('website' in extra);
      expect(page.text).not.toContain('spam.example');
      expect(sample.site.outbox.state.waiting).toBe(0);
      expect((await postForm(sample.url, SEND, { ...message, website: '' })).status).toBe(303);
    },
  );

  it('one that fills in the trap is told of every field that is wrong', async () => {
    const answer = await postJson(site.url, SEND, { ...words(), name: '', website: 'x' });
    expect(Object.keys(answer.json<{ errors: object }>().errors).sort()).toEqual(['name', 'website']);
    expect(received()).toEqual([]);
  });

  it('somebody who took their time is none', async () => {
    expect((await postJson(site.url, SEND, { ...words(), elapsedMs: '2000' })).status).toBe(202);
    await quiet();
    expect(received()).toHaveLength(1);
  });
});

describe('posts of one address', () => {
  const post = (of: RunningSite, headers: Record<string, string> = {}) =>
    sendRequest(of.url, SEND, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(words()),
    });
  const statuses = async (answers: Promise<Answer>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).sort();

  it('are 30 in ten minutes; then 429 says when to come again', () =>
    withSite({}, async own => {
      const first = await statuses(Array.from({ length: 30 }, () => post(own)));
      expect(new Set(first)).toEqual(new Set([202]));
      const refused = await post(own);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600);
      expect(refused.json()).toEqual({ message: expect.stringContaining('Nothing you typed is lost') });
      // Who is not trusted cannot become somebody else.
      expect((await post(own, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(429);
      await quiet(own);
      expect(received()).toHaveLength(30);
    }));

  it('without JavaScript come back with what was typed', () =>
    withSite({ env: { FORM_RATE_LIMIT: '1' } }, async own => {
      const typed = { ...words(), page: '/' };
      expect((await postForm(own.url, SEND, typed)).status).toBe(303);
      const refused = await postForm(own.url, SEND, { ...typed, name: 'Ada Second' });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.headers['content-type']).toContain('text/html');
      const page = parsePage(refused.text);
      const name = page.all('input').find(({ properties }) => properties.id === 'contact-name');
      expect(name?.properties.value).toBe('Ada Second');
      expect(page.main).toContain('Too many messages');
    }));

  it('behind a trusted proxy are those of the visitor, of a /56 where the address is an IPv6', () =>
    withSite({ env: { FORM_RATE_LIMIT: '1', TRUST_PROXY: '1' } }, async own => {
      const from = async (address: string) => (await post(own, { 'x-forwarded-for': address })).status;
      expect(await from('192.0.2.1')).toBe(202);
      expect(await from('192.0.2.1')).toBe(429);
      expect(await from('192.0.2.2')).toBe(202);
      expect(await from('2001:db8:0:100::1')).toBe(202);
      expect(await from('2001:db8:0:1ff:abcd::9')).toBe(429);
      expect(await from('2001:db8:0:200::1')).toBe(202);
    }));
});

describe('a post from another site', () => {
  const post = (headers: Record<string, string>, base = site.url) =>
    sendRequest(base, SEND, {
      method: 'POST',
      headers: { ...AS_BROWSER, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(words()).toString(),
    });

  it.each<[headers: Record<string, string>, status: number]>([
    [{}, 303],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
    [{ 'sec-fetch-site': 'none' }, 303],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'whatever' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: '' }, 403],
    // What the browser says of it itself counts for more.
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 303],
  ])('%o: %i', async (headers, status) => {
    expect((await post(headers)).status).toBe(status);
    await quiet();
    expect(received()).toHaveLength(status === 303 ? 1 : 0);
  });

  it('is one whose Origin is not the host, whatever the protocol', async () => {
    const { host } = new URL(site.url);
    expect((await post({ origin: site.url })).status).toBe(303);
    expect((await post({ origin: `https://${host}` })).status).toBe(303);
    expect((await post({ origin: `http://${host}0` })).status).toBe(403);
  });

  it('is not one from the public address', () =>
    withSite({ env: { PUBLIC_URL: 'https://www.example.com' } }, async own => {
      expect((await post({ origin: 'https://www.example.com' }, own.url)).status).toBe(303);
      expect((await post({ origin: 'https://example.com' }, own.url)).status).toBe(403);
    }));

  it('costs its victim nothing of what may be posted', () =>
    withSite({ env: { FORM_RATE_LIMIT: '1' } }, async own => {
      for (const _ of [1, 2])
        expect((await post({ 'sec-fetch-site': 'cross-site' }, own.url)).status).toBe(403);
      expect((await post({}, own.url)).status).toBe(303);
    }));
});
