import { describe, expect } from 'vitest';
import { formTest as it, SEND, words } from '../support/form-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { type Answer, AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

describe('POST requests from one address', () => {
  const post = (of: RunningSite, headers: Record<string, string> = {}) =>
    sendRequest(of.url, SEND, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(words()),
    });
  const statuses = async (answers: Promise<Answer>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).sort();

  it('one address may send 30 submissions in ten minutes; a further one gets a 429 with Retry-After', ({
    received,
    quiet,
    withSite,
  }) =>
    withSite({}, async own => {
      const first = await statuses(Array.from({ length: 30 }, () => post(own)));
      expect(new Set(first)).toEqual(new Set([202]));
      const refused = await post(own);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600);
      expect(refused.json()).toEqual({ message: expect.stringContaining('Nothing you typed is lost') });
      // X-Forwarded-For of an untrusted client is ignored.
      expect((await post(own, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(429);
      await quiet(own);
      expect(received()).toHaveLength(30);
    }));

  it('the response to a refused submission without JavaScript contains the typed text', ({ withSite }) =>
    withSite({ env: { FORM_RATE_LIMIT: '1' } }, async own => {
      const typed = { ...words(), page: '/' };
      expect((await postForm(own.url, SEND, typed)).status).toBe(303);
      const refused = await postForm(own.url, SEND, { ...typed, name: 'Ada Second' });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.headers['content-type']).toContain('text/html');
      const page = parsePage(refused.text);
      const name = page.all('input').find(({ properties }) => properties.name === 'name');
      expect(name?.properties.value).toBe('Ada Second');
      expect(page.main).toContain('Too many messages');
      // The response is only the form, without a render, because a flood may request it often.
      expect(page.hasShell).toBe(false);
      const { headers } = await postForm(own.url, SEND, typed, { 'accept-encoding': 'gzip' });
      expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    }));

  it('behind a trusted proxy submissions are counted by visitor, for IPv6 by /56 network', ({ withSite }) =>
    withSite({ env: { FORM_RATE_LIMIT: '1', TRUST_PROXY: '1', PUBLIC_URL: 'any' } }, async own => {
      const from = async (address: string) => (await post(own, { 'x-forwarded-for': address })).status;
      expect(await from('192.0.2.1')).toBe(202);
      expect(await from('192.0.2.1')).toBe(429);
      expect(await from('192.0.2.2')).toBe(202);
      expect(await from('2001:db8:0:100::1')).toBe(202);
      expect(await from('2001:db8:0:1ff:abcd::9')).toBe(429);
      expect(await from('2001:db8:0:200::1')).toBe(202);
    }));
});

describe('a submission from another site', () => {
  const post = (base: string, headers: Record<string, string>) =>
    sendRequest(base, SEND, {
      method: 'POST',
      headers: { ...AS_BROWSER, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(words()).toString(),
    });

  it.for<[headers: Record<string, string>, status: number]>([
    [{}, 303],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
    [{ 'sec-fetch-site': 'none' }, 303],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'whatever' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: '' }, 403],
    // Sec-Fetch-Site takes precedence over Origin.
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 303],
  ])('a submission with the headers %o gets a %i', async ([headers, status], { site, received, quiet }) => {
    expect((await post(site.url, headers)).status).toBe(status);
    await quiet();
    expect(received()).toHaveLength(status === 303 ? 1 : 0);
  });

  it('a submission is from another site if its Origin differs from the host, whatever the protocol', async ({
    site,
  }) => {
    const { host } = new URL(site.url);
    expect((await post(site.url, { origin: site.url })).status).toBe(303);
    expect((await post(site.url, { origin: `https://${host}` })).status).toBe(303);
    expect((await post(site.url, { origin: `http://${host}0` })).status).toBe(403);
  });

  it('a submission from PUBLIC_URL is accepted', ({ withSite }) =>
    withSite({ env: { PUBLIC_URL: 'https://www.example.com' } }, async own => {
      expect((await post(own.url, { origin: 'https://www.example.com' })).status).toBe(303);
      expect((await post(own.url, { origin: 'https://example.com' })).status).toBe(403);
    }));

  it('a submission from an origin of FORM_ORIGINS is accepted, and from no other', ({ withSite }) =>
    withSite({ env: { FORM_ORIGINS: 'https://static.example.com' } }, async own => {
      const crossing = { 'sec-fetch-site': 'cross-site' };
      expect((await post(own.url, { ...crossing, origin: 'https://static.example.com' })).status).toBe(303);
      expect((await post(own.url, { ...crossing, origin: 'https://other.example.com' })).status).toBe(403);
    }));

  it('a submission from another site does not count against the visitor’s limit', ({ withSite }) =>
    withSite({ env: { FORM_RATE_LIMIT: '1' } }, async own => {
      for (const _ of [1, 2])
        expect((await post(own.url, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
      expect((await post(own.url, {})).status).toBe(303);
    }));
});
