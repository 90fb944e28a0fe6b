import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRaw, sendRaw } from '../support/raw-connection.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

let site: SampleSite;
beforeAll(async () => {
  site = await startSampleSite();
});
afterAll(() => site.close());

const LINE = 'POST /about HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** Requests whose end two servers could read differently (RFC 9112, 6.3 and 11.2). */
const PAIRS: readonly (readonly [what: string, text: string])[] = [
  ['CL.TE', `${LINE}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['TE.CL', `${LINE}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n${SMUGGLED}\r\n0\r\n\r\n`],
  ['CL.CL, two values', `${LINE}Content-Length: 0\r\nContent-Length: 45\r\n\r\n${SMUGGLED}`],
  ['CL.CL, a list', `${LINE}Content-Length: 0, 45\r\n\r\n${SMUGGLED}`],
  ['CL with a sign', `${LINE}Content-Length: +5\r\n\r\nabcde${SMUGGLED}`],
  ['CL below nothing', `${LINE}Content-Length: -1\r\n\r\n${SMUGGLED}`],
  ['CL in hexadecimal', `${LINE}Content-Length: 0x5\r\n\r\nabcde${SMUGGLED}`],
  ['CL with a space inside', `${LINE}Content-Length: 4 5\r\n\r\n${SMUGGLED}`],
  ['CL too large', `${LINE}Content-Length: 99999999999999999999\r\n\r\n${SMUGGLED}`],
  ['TE that is not known', `${LINE}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  [
    'TE twice',
    `${LINE}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'TE of which chunked is not the last',
    `${LINE}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  ['TE behind a tab', `${LINE}Transfer-Encoding:\tchunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  [
    'TE with a space in front of the colon',
    `${LINE}Transfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'TE in a folded line',
    `${LINE}X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'TE behind a bare line feed',
    `${LINE}X-A: b\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'TE behind a bare carriage return',
    `${LINE}X-A: b\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'TE in HTTP/1.0',
    `POST /about HTTP/1.0\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  ['a chunk size with a sign', `${LINE}Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n${SMUGGLED}`],
  ['a chunk size in another base', `${LINE}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${SMUGGLED}`],
  [
    'a chunk that is longer than its size',
    `${LINE}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'a bare line feed in a chunk extension',
    `${LINE}Transfer-Encoding: chunked\r\n\r\n2;\nxx\r\n5c\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  ['a header name with a NUL', `${LINE}X-\0A: b\r\n\r\n${SMUGGLED}`],
  ['a header value with a NUL', `${LINE}X-A: b\0\r\n\r\n${SMUGGLED}`],
  ['a header without a colon', `${LINE}X-A\r\n\r\n${SMUGGLED}`],
  ['a header without a name', `${LINE}: b\r\n\r\n${SMUGGLED}`],
  ['a first header that is folded', `POST /about HTTP/1.1\r\n Host: 127.0.0.1\r\n\r\n${SMUGGLED}`],
  ['a method of two words', `GET POST /about HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${SMUGGLED}`],
  ['an unknown version', `GET /about HTTP/1.9\r\nHost: 127.0.0.1\r\n\r\n${SMUGGLED}`],
  ['a line feed in the address', `GET /a\nbout HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${SMUGGLED}`],
];

describe('an ambiguous request', () => {
  it.each(PAIRS)('an ambiguous request is a 400, and its connection ends: %s', async (_what, text) => {
    const raw = await sendRaw(site.url, text);
    expect(raw.statuses()).toEqual(
      [expect.toBeOneOf([400, 405, 413, 414, 421])].slice(0, raw.statuses().length),
    );
    expect(site.requests('/smuggled')).toEqual([]);
  });

  it('an ambiguous request for a stored page gets one response at most', async () => {
    await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    for (const [, text] of PAIRS) {
      const raw = await sendRaw(site.url, text.replace('POST /about', 'GET /about'));
      expect(raw.statuses().slice(1)).toEqual([]);
    }
    expect(site.requests('/smuggled')).toEqual([]);
  });
});

describe('a body that a stored page does not read', () => {
  it('an unread request body is not parsed as the next request', async () => {
    await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    const raw = await openRaw(
      site.url,
      `GET /about HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}GET /contacts HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    );
    await raw.closed();
    expect(raw.statuses()).toEqual([200, 200]);
    expect(site.requests('/smuggled')).toEqual([]);
    expect(site.requests('/contacts')).toHaveLength(1);
  });
});

describe('a request cannot inject a header', () => {
  const INJECTED = '%0d%0aX-Injected:%20yes%0d%0a%0d%0a<h1>injected</h1>';

  it.each([
    ['a path', `/about${INJECTED}`],
    ['a query that a redirect carries over', `/About?a=${INJECTED}`],
    ['a query of a redirect row', `/old/path?a=${INJECTED}`],
    ['a line feed in UTF-8 overlong form', '/about%c0%8dX-Injected:yes'],
    ['characters whose lower byte is a line break', '/About?a=%e5%98%8d%e5%98%8aX-Injected:%20yes'],
    ['the page of a payload', `/About/_payload.json?a=${INJECTED}`],
  ])('a request cannot inject a header through %s', async (_what, path) => {
    const answer = await sendRequest(site.url, path, { headers: AS_BROWSER });
    expect(answer.headers['x-injected']).toBeUndefined();
    expect(answer.headers.location ?? '').not.toMatch(/[\r\n]/);
    expect(answer.text).not.toContain('<h1>injected');
  });

  it('a form submission cannot inject a header through its page address', async () => {
    const answer = await sendRequest(site.url, '/api/email/send', {
      method: 'POST',
      headers: { ...AS_BROWSER, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        form: 'subscribe',
        email: 'a@example.com',
        page: '/about\r\nX-Injected: yes',
      }).toString(),
    });
    expect(answer.headers['x-injected']).toBeUndefined();
    expect(answer.headers.location).toMatch(/^\/\?sent=/);
  });
});
