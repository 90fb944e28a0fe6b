import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { formTest as it, SEND, words } from '../support/form-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { type Answer, AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';

describe('without JavaScript', () => {
  const fields = () => ({ ...words(), page: '/contacts', website: '' });
  const typedInto = (answer: Answer, name: string) => {
    const page = parsePage(answer.text);
    return page.all('input').find(({ properties }) => properties.id === name)?.properties.value;
  };

  it('a message sent without JavaScript redirects to its page with a valid hash', async ({
    sample,
    getPage,
  }) => {
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

  it('a stored page has no thank-you text, idempotency key or form time', async ({ getPage }) => {
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

  it('a message sent from a list page returns to its page number, without other query parameters', async ({
    sample,
  }) => {
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

  it('an invalid message without JavaScript is shown again with its text and errors', async ({ sample }) => {
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
    expect(page.main).toContain('Please check what you typed.');
    expect(page.main).toContain('Please enter a complete e-mail address');
    expect(page.inline).toEqual([]);
    // The page is not hydrated, because the browser's address differs from it.
    expect(page.data).toBeNull();
    const marked = page.all('input').filter(({ properties }) => properties.ariaInvalid === 'true');
    expect(marked.map(({ properties }) => properties.id)).toEqual(['contact-email']);
    const links = page.all('a').map(({ properties }) => properties.href);
    expect(links).toContain('#contact-email');
  });

  it('an invalid message from an unknown or moved page gets the home page', async ({ sample }) => {
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

  it.for([
    '/\\evil.example',
    '//evil.example',
    'https://evil.example/',
    '/%zz',
    '/a\r\nSet-Cookie: a=b',
    '/..//evil.example',
    '/no/such/route/at/all',
    'javascript:alert(1)',
    '',
  ])('a message with the referrer %o redirects to a page of the site', async (page, { sample }) => {
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
