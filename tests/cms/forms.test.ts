import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { SEND, words } from '../support/form-test.ts';
import { cmsTest } from './support/cms-test.ts';
import { startMailServer } from './support/mail-server.ts';

const it = cmsTest
  .extend('mail', { scope: 'file' }, async ({}, { onCleanup }) => {
    const mail = await startMailServer();
    onCleanup(() => mail.close());
    return mail;
  })
  .extend('cmsEnv', { scope: 'file' }, async ({ mail }) => ({
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(mail.port),
    MAIL_FROM: 'site@example.com',
    MAIL_TO: 'office@example.com',
  }))
  /** Posts to the CMS as the site does. */
  .extend('post', { scope: 'file' }, async ({ cms, settings }) => {
    return async (
      body: string,
      { key = randomUUID() as string, type = 'application/json', token = settings.SITE_TOKEN } = {},
    ) => {
      const answer = await fetch(`${cms.url}${SEND}`, {
        method: 'POST',
        headers: {
          'Content-Type': type,
          ...(key ? { 'Idempotency-Key': key } : {}),
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
        },
        body,
      });
      const { error } = (await answer.json()) as { error?: { message: string } };
      return { status: answer.status, sentence: error?.message ?? null };
    };
  });

describe('the forms of the site on the CMS', () => {
  it('a message is delivered once: one entry, one mail', async ({ site, admin, mail }) => {
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

  it('a known key is a 200, and forty posts at once with one key are one entry and one mail', async ({
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

  it('a mail that fails is no 200, and the next post mails it without a second entry', async ({
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
    ['the token of the preview', JSON.stringify(contact), { token: 'preview' }, 403],
    ['no token', JSON.stringify(contact), { token: '' }, 401],
  ] as const)(
    'a message that must be refused (%s) gets a status and a sentence',
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

async function messages(admin: {
  call(method: string, path: string): Promise<unknown>;
}): Promise<Record<string, unknown>[]> {
  const path = '/content-manager/collection-types/api::message.message?pageSize=100';
  return ((await admin.call('GET', path)) as { results: Record<string, unknown>[] }).results;
}
