import { createServer } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOfFull, ownFields } from '../../server/page-cache/page-head.ts';
import { sendStoredPage } from '../../server/page-cache/send-stored-page.ts';
import {
  addEncoding,
  createStoredPage,
  type PageContents,
  type StoredPage,
} from '../../server/page-cache/stored-page.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { close, listen } from '../support/listen.ts';
import { sendRequest } from '../support/send-request.ts';

const BODY = Buffer.from('<!doctype html><p>Über alles, was man sagen kann.</p>'.repeat(100));
const COMMON = [['X-Common', 'yes']] as const;
let page: StoredPage;
let missing: StoredPage;
let url: string;

const server = createServer((req, res) => {
  sendStoredPage(req, res, req.url === '/missing' ? missing : page, 'X-Extra: yes\r\n');
});

beforeAll(async () => {
  const contents = {
    body: BODY,
    headers: [
      ['Content-Type', 'text/html'],
      ['Link', '<x>; rel=preload'],
      ['Vary', 'Accept-Encoding'],
    ],
    ...{ route: null, contentVersion: 'v' },
  } satisfies Partial<PageContents>;
  const made = await createStoredPage({ ...contents, status: 200 }, 'br', COMMON);
  page = deepFreeze(await addEncoding(made, 'gzip'));
  missing = await createStoredPage({ ...contents, status: 404 }, 'gzip', COMMON);
  url = await listen(server);
});
afterAll(() => close(server));

const ask = (headers: Record<string, string>, method = 'GET', path = '/') =>
  sendRequest(url, path, { method, headers });

describe('the encoding (RFC 9110, 12.5.3)', () => {
  it.each([
    ['br, gzip, deflate, zstd', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0, *', 'identity'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.5, *', 'gzip'],
    ['br ; q=0.9 , gzip ;q=0.8', 'br'],
    ['gzip;q=0', 'identity'],
    ['br;q=rubbish', 'identity'],
    ['deflate', 'identity'],
    ['identity', 'identity'],
    ['identity;q=1, br;q=0.5, gzip;q=0.2', 'identity'],
    ['identity;q=0.5, gzip;q=0.9', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['', 'identity'],
    [',,;', 'identity'],
  ])('Accept-Encoding %j gets a response encoded as %s', async (accepted, expected) => {
    // The second response uses the remembered negotiation.
    for (const answer of [
      await ask({ 'accept-encoding': accepted }),
      await ask({ 'accept-encoding': accepted }),
    ]) {
      expect(answer.headers['content-encoding'] ?? 'identity').toBe(expected);
      expect(Number(answer.headers['content-length'])).toBe(answer.body.byteLength);
      const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };
      expect(decode[expected as keyof typeof decode](answer.body)).toEqual(BODY);
      expect(answer.headers.etag).toBe(page.etag);
    }
  });

  it('a client without Accept-Encoding gets an uncompressed response', async () => {
    const answer = await ask({});
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.body).toEqual(BODY);
  });

  it('a new Accept-Encoding is still negotiated after a thousand others', async () => {
    for (let index = 0; index < 1_100; index++) await ask({ 'accept-encoding': `x-${index}` }, 'HEAD');
    expect((await ask({ 'accept-encoding': 'x-9999, gzip' })).headers['content-encoding']).toBe('gzip');
  });
});

describe('the condition If-None-Match (RFC 9110, 13.1.2)', () => {
  const strong = () => page.etag.slice(2);

  it.each([
    ['the tag', () => page.etag, 304],
    ['the tag without its mark', () => strong(), 304],
    ['any', () => '*', 304],
    ['any, with blanks', () => ' * ', 304],
    ['a list with the tag', () => `"a", W/"b" ,${page.etag}, "c"`, 304],
    ['a list with the strong one', () => `"a",${strong()}`, 304],
    ['a tag with a comma in it, then the tag', () => `"a,b", ${page.etag}`, 304],
    ['another', () => 'W/"another"', 200],
    ['a list of others', () => '"a", "b"', 200],
    ['the beginning of it', () => page.etag.slice(0, -2), 200],
    ['the tag in another', () => `"x${strong().slice(1)}`, 200],
    ['the tag without quotation marks', () => strong().replaceAll('"', ''), 200],
    ['a list with a star', () => '"a", *', 200],
    ['nothing', () => '', 200],
  ])('the header If-None-Match selects the status: %s', async (_, condition, status) => {
    const headers = { 'if-none-match': condition(), 'accept-encoding': 'gzip' };
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(headers, method);
      expect([method, answer.status]).toEqual([method, status]);
    }
  });

  it('a 304 has the headers that refresh the stored response, and none about its content', async () => {
    const { headers, body } = await ask({ 'if-none-match': page.etag, 'accept-encoding': 'br' });
    expect(headers).toMatchObject({ etag: page.etag, vary: 'Accept-Encoding', 'x-extra': 'yes' });
    for (const name of ['content-type', 'content-encoding', 'content-length', 'link', 'transfer-encoding'])
      expect(headers[name]).toBeUndefined();
    expect(body.byteLength).toBe(0);
  });

  it('If-None-Match is ignored for a page that does not exist', async () => {
    expect((await ask({ 'if-none-match': '*' }, 'GET', '/missing')).status).toBe(404);
    expect((await ask({ 'if-none-match': missing.etag }, 'GET', '/missing')).status).toBe(404);
  });
});

describe('HEAD and Range', () => {
  it.each(['br', 'gzip', 'identity'])('HEAD has the headers of GET: %s', async encoding => {
    const [get, head] = [
      await ask({ 'accept-encoding': encoding }),
      await ask({ 'accept-encoding': encoding }, 'HEAD'),
    ];
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
    expect(head.body.byteLength).toBe(0);
  });

  it.each(['bytes=0-9', 'bytes=-5', 'bytes=999999-', 'rubbish'])(
    'the header Range is ignored: %s',
    async range => {
      const answer = await ask({ range, 'if-range': page.etag });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-range']).toBeUndefined();
      expect(answer.body).toEqual(BODY);
    },
  );
});

describe('the ETag', () => {
  it('the ETag depends only on the content', async () => {
    const contents = {
      status: 200,
      route: null,
      headers: [['A', 'b']],
      contentVersion: 'other',
    } as const;
    const [same, other] = await Promise.all([
      createStoredPage({ ...contents, body: BODY }, 'br', []),
      createStoredPage({ ...contents, body: Buffer.concat([BODY, Buffer.from(' ')]) }, 'br', []),
    ]);
    expect(same.etag).toBe(page.etag);
    expect(other.etag).not.toBe(page.etag);
    expect(page.etag).toMatch(/^W\/"[\w-]{22}"$/);
  });
});

describe('the common headers of the site', () => {
  it('the site’s common headers are sent with 200, 304 and 404', async () => {
    for (const [path, headers] of [
      ['/', {}],
      ['/', { 'if-none-match': page.etag }],
      ['/missing', {}],
    ] as const)
      expect((await ask(headers, 'GET', path)).headers).toMatchObject({
        'x-common': 'yes',
        'x-extra': 'yes',
      });
  });

  it('a header of the page replaces a common header of the same name', async () => {
    const own = await createStoredPage(
      {
        status: 200,
        route: null,
        headers: [['X-Common', 'own']],
        contentVersion: '',
        body: BODY,
      },
      'br',
      [...COMMON, ['X-Other', 'yes']],
    );
    expect(linesOfFull(own)).toMatch(/^X-Other: yes\r\nX-Common: own\r\nETag: [^\r]+\r\n$/);
    expect(ownFields(own.head)).toEqual([['X-Common', 'own']]);
  });
});
