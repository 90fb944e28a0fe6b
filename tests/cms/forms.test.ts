import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { SEND, words } from '../support/form-test.ts';
import { freePort } from '../support/free-port.ts';
import { parsePage } from '../support/parse-page.ts';
import { postForm } from '../support/send-request.ts';
import { formsTest, messages } from './support/forms-test.ts';
import { endStrapi, runStrapi } from './support/strapi.ts';

/** The links in e-mails are signed. */
const it = formsTest.extend('siteEnv', { scope: 'file' }, async ({ sitePort }) => ({
  PUBLIC_URL: `http://127.0.0.1:${sitePort}`,
  SUBSCRIBE_SECRET: 'a-secret-of-the-newsletter-long-enough',
}));

/** @returns the addresses of the links in a mail. */
const linksIn = (mail = '') =>
  [
    ...mail
      .replaceAll('=\r\n', '')
      .replaceAll('=3D', '=')
      .matchAll(/<a href="([^"]+)"/g),
  ].map(([, address]) => address?.replaceAll('&#38;', '&') ?? '');

describe('the forms of the site on the CMS', () => {
  it('the CMS receives a message once, as one entry and one mail', async ({ site, admin, mail }) => {
    const message = words();
    for (let time = 0; time < 2; time += 1) {
      const { status } = await fetch(`${site.url}${SEND}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: site.url },
        body: JSON.stringify({ ...message, elapsedMs: '5000' }),
      });
      expect(status).toBe(202);
    }
    await eventually(() => expect(site.site.outbox.state.waiting).toBe(0));
    const kept = (await messages(admin)).filter(entry => entry.message === message.message);
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({ form: 'contact', name: message.name, email: message.email });
    const lastLine = message.message.split('\n').at(-1) ?? '';
    expect(mail.mails.filter(text => text.includes(lastLine))).toHaveLength(1);
  });

  it('the webhook reports neither the arrival nor the deletion of a message', async ({
    site,
    admin,
    post,
  }) => {
    const email = `${randomUUID()}@example.com`;
    expect((await post(JSON.stringify({ form: 'subscribe', email }))).status).toBe(200);
    const kept = (await messages(admin)).find(entry => entry.email === email);
    expect(kept).toBeDefined();
    const path = '/content-manager/collection-types/api::message.message';
    await admin.call('DELETE', `${path}/${kept?.documentId}`);
    expect((await messages(admin)).some(entry => entry.email === email)).toBe(false);
    // The next event is about a page. Events about the message would have come before it.
    const [page] = (await admin.list('page')).filter(({ slug }) => slug === 'terms');
    await admin.publish('page', page?.documentId ?? '', { description: 'After the message' });
    const events = () => site.log.filter(({ code }) => code.startsWith('webhook-'));
    await eventually(() => expect(events().map(({ event }) => event)).toContain('entry.publish'));
    expect(events().filter(({ event }) => event === 'entry.create' || event === 'entry.delete')).toEqual([]);
    expect(events().filter(({ model }) => model !== undefined)).toEqual([]);
  });

  it('a known idempotency key gets a 200, and forty concurrent requests with one key make one entry and one mail', async ({
    post,
    admin,
    mail,
  }) => {
    const key = randomUUID();
    const email = `${key}@example.com`;
    const body = JSON.stringify({ form: 'subscribe', email });
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(body, { key })));
    answers.push(await post(body, { key }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await messages(admin)).filter(entry => entry.email === email)).toHaveLength(1);
    expect(mail.mails.filter(text => text.includes(`Subject: Subscription: ${email}`))).toHaveLength(1);
  });

  it('two CMS processes that receive the same idempotency key at the same time create one entry and send one mail', async ({
    post,
    admin,
    mail,
    cmsSettings,
  }) => {
    const second = await runStrapi({ ...cmsSettings, CMS_PORT: String(await freePort()) });
    const release = mail.hold();
    try {
      const key = randomUUID();
      const email = `${key}@example.com`;
      const body = JSON.stringify({ form: 'subscribe', email });
      const before = mail.sent;
      const first = post(body, { key });
      await eventually(() => expect(mail.sent).toBe(before + 1));
      // The first process has not mailed the message yet, and may still fail.
      const other = post(body, { key, url: second.url });
      const isMailedTwice = eventually(() => expect(mail.sent).toBe(before + 2)).catch(() => {});
      await Promise.race([other, isMailedTwice]);
      expect(mail.sent).toBe(before + 1);
      expect((await other).status).toBe(503);
      release();
      expect((await first).status).toBe(200);
      expect((await post(body, { key, url: second.url })).status).toBe(200);
      expect((await messages(admin)).filter(entry => entry.email === email)).toHaveLength(1);
      expect(mail.mails.filter(text => text.includes(`Subject: Subscription: ${email}`))).toHaveLength(1);
    } finally {
      release();
      await endStrapi(second.child);
    }
  });

  it('a request whose mail fails gets a 5xx, and the next request sends the mail without a second entry', async ({
    post,
    admin,
    mail,
  }) => {
    const key = randomUUID();
    const email = `${key}@example.com`;
    mail.accepts = false;
    const failed = await post(JSON.stringify({ form: 'subscribe', email }), { key });
    mail.accepts = true;
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(await post(JSON.stringify({ form: 'subscribe', email }), { key })).toEqual({
      status: 200,
      sentence: null,
    });
    expect((await messages(admin)).filter(entry => entry.email === email)).toHaveLength(1);
    expect(mail.mails.filter(text => text.includes(email))).toHaveLength(1);
  });

  it('a subscription mails its links to the subscriber, and they change its status', async ({
    post,
    admin,
    mail,
  }) => {
    const email = `${randomUUID()}@example.com`;
    const consent = 'I agree to get news by e-mail.';
    const [confirmUrl, leaveUrl] = ['confirm', 'leave'].map(
      step => `https://www.example.com/subscribe/${step}?token=${randomUUID()}`,
    );
    const subscription = { form: 'subscribe', email, consent, confirmUrl, leaveUrl, language: 'de-DE' };
    expect((await post(JSON.stringify(subscription))).status).toBe(200);
    const mails = () => mail.mails.filter(text => text.includes(email));
    expect(mails()).toHaveLength(1);
    expect(mails()[0]).toMatch(new RegExp(`^To: ${email}`, 'm'));
    // Quoted-printable text breaks long lines.
    expect(mails()[0]?.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(confirmUrl);
    const kept = async () =>
      (await messages(admin)).find(entry => entry.email === email && entry.form === 'subscribe');
    expect(await kept()).toMatchObject({ consent, confirmedAt: null, leftAt: null });
    for (const [form, field] of [
      ['subscribe-confirm', 'confirmedAt'],
      ['subscribe-leave', 'leftAt'],
    ] as const) {
      const key = randomUUID();
      const step = JSON.stringify({ form, email });
      expect((await post(step, { key })).status).toBe(200);
      const at = (await kept())?.[field];
      expect(at).toEqual(expect.any(String));
      // The site delivers a message again if the response was lost.
      expect((await post(step, { key })).status).toBe(200);
      expect((await kept())?.[field]).toBe(at);
    }
    expect(mails().map(text => /^Subject: (.*?):/m.exec(text)?.[1])).toEqual([
      undefined,
      'Subscription confirmed',
      'Has left the list',
    ]);
  });

  it('the logo of the settings heads each mail, with its address on the site', async ({
    post,
    admin,
    mail,
    cmsSettings,
  }) => {
    const { results } = (await admin.call('GET', '/upload/files?pageSize=1000')) as {
      results: { id: number; name: string; url: string }[];
    };
    const file = results.find(({ name }) => name === 'ceramics-shelf.jpg');
    await admin.publish('settings', null, { siteName: 'Acme & Sons', logo: file?.id });
    const email = `${randomUUID()}@example.com`;
    const confirmUrl = `https://www.example.com/subscribe/confirm?token=${randomUUID()}`;
    const message = { form: 'contact', name: 'Ida', email, message: `<b>Hello</b> ${confirmUrl}` };
    for (const body of [message, { form: 'subscribe', email, confirmUrl, language: 'de-DE' }])
      expect((await post(JSON.stringify(body))).status).toBe(200);
    await admin.publish('settings', null, { siteName: 'Acme', logo: null });
    const mails = mail.mails
      .filter(text => text.includes(email))
      .map(text => text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
    expect(mails).toHaveLength(2);
    for (const text of mails)
      expect(text).toContain(`<img src="${cmsSettings.SITE_URL}${file?.url}" alt="Acme &#38; Sons" width="`);
    const [office = '', subscriber = ''] = mails;
    // What a visitor writes is neither markup nor a link.
    expect(office).toContain(`&#60;b&#62;Hello&#60;/b&#62; ${confirmUrl}`);
    expect(office).not.toContain('<a ');
    expect(subscriber).toContain(`<a href="${confirmUrl}">${confirmUrl}</a>`);

    const words = { form: 'contact', name: 'Ida', email, message: '<b>No logo</b>' };
    expect((await post(JSON.stringify(words))).status).toBe(200);
    const [, html = ''] = mail.mails.at(-1)?.replaceAll('=\r\n', '').split('text/html') ?? [];
    expect(html).toContain('&#60;b&#62;No logo&#60;/b&#62;');
    expect(html).not.toContain('<img');
  });

  it('a visitor agrees to the consent sentence, confirms by one link of the e-mail, and unsubscribes by the other', async ({
    site,
    admin,
    mail,
    getPage,
  }) => {
    const consent = 'I agree to get news by e-mail.';
    const boxes = async () =>
      parsePage((await getPage('/')).text)
        .all('input')
        .filter(({ properties }) => properties.name === 'consent')
        .map(({ properties }) => properties.value);
    expect(await boxes()).toEqual([]);
    await admin.publish('settings', null, { subscribeConsent: 'I agree to get **news** by e-mail.' });
    await eventually(async () => expect(await boxes()).toEqual([consent]));

    const email = `${randomUUID()}@example.com`;
    const origin = { origin: site.url };
    const fields = { form: 'subscribe', email, page: '/', elapsedMs: '5000' };
    expect((await postForm(site.url, SEND, fields, origin)).status).toBe(422);
    expect((await postForm(site.url, SEND, { ...fields, consent }, origin)).status).toBe(303);
    const kept = () =>
      eventually(async () => {
        const all = await messages(admin);
        const found = all.filter(entry => entry.email === email && entry.form === 'subscribe');
        expect(found).toHaveLength(1);
        return found[0] ?? {};
      });
    const subscription = await kept();
    expect(subscription).toMatchObject({ consent, language: 'en-GB', confirmedAt: null, leftAt: null });
    const mails = () => mail.mails.filter(text => text.includes(email));
    await eventually(() => expect(mails()).toHaveLength(1));
    const [confirm = '', leave = ''] = linksIn(mails()[0]);
    for (const [address, field, subject] of [
      [confirm, 'confirmedAt', 'Subscription confirmed'],
      [leave, 'leftAt', 'Has left the list'],
    ] as const) {
      const { pathname, search } = new URL(address);
      const page = await getPage(pathname + search);
      expect([page.status, parsePage(page.text).main]).toEqual([200, expect.stringMatching(/Confirm|Leave/)]);
      expect((await kept())[field]).toBeNull();
      expect((await postForm(site.url, pathname + search, {}, origin)).status).toBe(303);
      await eventually(async () => expect((await kept())[field]).toEqual(expect.any(String)));
      await eventually(() => expect(mails().at(-1)).toContain(`Subject: ${subject}`));
    }
    await admin.publish('settings', null, { subscribeConsent: null });
    await eventually(async () => expect(await boxes()).toEqual([]));
  });

  it('the office gets its mail in the language of the settings, or in that of the CMS', async ({
    admin,
    mail,
    post,
  }) => {
    for (const [language, subject, line] of [
      ['de-DE', 'Nachricht von Ada', 'Unternehmen: Nordwind'],
      [null, 'Message from Ada', 'Company: Nordwind'],
    ] as const) {
      await admin.publish('settings', null, { language });
      const [email, message] = [`${randomUUID()}@example.com`, 'Hello'];
      const contact = { form: 'contact', name: 'Ada', company: 'Nordwind', email, message };
      expect((await post(JSON.stringify(contact))).status).toBe(200);
      const found = mail.mails.find(text => text.includes(email));
      expect(found).toContain(`Subject: ${subject}`);
      expect(found).toContain(line);
    }
  });

  const contact = { form: 'contact', name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  it.for([
    ['no JSON', '{bad', {}, 400],
    ['a list', '[]', {}, 400],
    ['the doctor’s form', '{"form":"doctor"}', {}, 400],
    ['no key', JSON.stringify(contact), { key: '' }, 400],
    ['another type', 'form=contact', { type: 'application/x-www-form-urlencoded' }, 415],
    ['70 KB', JSON.stringify({ ...contact, other: 'x'.repeat(70_000) }), {}, 413],
    ['2 MB', JSON.stringify({ ...contact, other: 'x'.repeat(2_000_000) }), {}, 413],
    ['no name', JSON.stringify({ ...contact, name: ' ' }), {}, 422],
    ['no e-mail address', JSON.stringify({ ...contact, email: 'ada' }), {}, 422],
    [
      'a second header in the name',
      JSON.stringify({ ...contact, name: 'Ada\r\nBcc: b@example.com' }),
      {},
      422,
    ],
    ['a name of 121 characters', JSON.stringify({ ...contact, name: 'x'.repeat(121) }), {}, 422],
    ['a number for a text', JSON.stringify({ ...contact, topic: 7 }), {}, 422],
    [
      'a link that is none',
      JSON.stringify({ form: 'subscribe', email: 'a@example.com', confirmUrl: 'javascript:x' }),
      {},
      422,
    ],
    ['the token of the preview', JSON.stringify(contact), { token: 'preview' }, 403],
    ['no token', JSON.stringify(contact), { token: '' }, 401],
  ] as const)(
    'a refused message (%s) is answered with an error status and the reason',
    async ([, body, options, status], { post, settings, admin }) => {
      const before = (await messages(admin)).length;
      const token = 'token' in options ? (options.token && settings.PREVIEW_TOKEN) || '' : undefined;
      const answer = await post(body, { ...options, ...(token === undefined ? {} : { token }) } as Parameters<
        typeof post
      >[1]);
      expect(answer.status).toBe(status);
      expect(answer.sentence).toMatch(/\w{3}/);
      expect((await messages(admin)).length).toBe(before);
    },
  );
});
