import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { formTest as it, SEND, words } from '../support/form-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { postForm, postJson, sendRequest } from '../support/send-request.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** All tests send from one IP address, so its limit is high. */
const MANY = { FORM_RATE_LIMIT: '10000' };

describe('a message as JSON', () => {
  it('a message as JSON is accepted, and reaches the backend as a JSON string of its fields', async ({
    site,
    received,
    bodies,
    quiet,
  }) => {
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

  it('a message as JSON may be a subscription', async ({ site, bodies, quiet }) => {
    const email = `${randomUUID()}@example.com`;
    const answer = await postJson(site.url, SEND, { form: 'subscribe', email: ` ${email} ` });
    expect([answer.status, answer.json()]).toEqual([202, { sent: 'subscribe' }]);
    await quiet();
    expect(bodies()).toEqual([{ form: 'subscribe', email }]);
  });

  it.for<[what: string, value: unknown, fields: string[]]>([
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
  ])(
    'a message with %s is refused with 422, field by field',
    async ([_what, value, fields], { site, received }) => {
      const answer = await postJson(site.url, SEND, value);
      expect(answer.status).toBe(422);
      const { errors, message: sentence } = answer.json<{
        errors: Record<string, string>;
        message: string;
      }>();
      expect(Object.keys(errors).sort()).toEqual(fields);
      expect(sentence).toBe('Please check what you typed.');
      expect(site.site.outbox.state.waiting).toBe(0);
      expect(received()).toEqual([]);
    },
  );

  it('a program gets a JSON response, even to an HTML form’s request', async ({ site }) => {
    const answer = await sendRequest(site.url, SEND, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(words()).toString(),
    });
    expect([answer.status, answer.json()]).toEqual([202, { sent: 'contact' }]);
  });

  it('messages are not logged', async ({ site, quiet }) => {
    const message = words();
    expect((await postJson(site.url, SEND, message)).status).toBe(202);
    expect((await postJson(site.url, SEND, { ...message, name: '' })).status).toBe(422);
    await quiet();
    expect(JSON.stringify(site.log)).not.toMatch(/Ada Byron|ada@example\.com|Two lines/);
  });
});

describe('a repeated message', () => {
  it('a message repeated with its idempotency key is delivered once', async ({ site, received, quiet }) => {
    const message = { ...words(), idempotencyKey: randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => postJson(site.url, SEND, message)));
    await quiet();
    answers.push(await postJson(site.url, SEND, message));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    await quiet();
    expect(received()).toHaveLength(1);
  });

  it('a message repeated without an idempotency key is delivered once if one address sends the same words', async ({
    site,
    received,
    bodies,
    quiet,
  }) => {
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

  it('a message repeated after a restart is delivered once', async ({ site, received, quiet, withSite }) => {
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

  it('a delivered message leaves only its idempotency key’s hash on disk', async ({ site, quiet }) => {
    const { dataDir } = site.site.config;
    expect((await postJson(site.url, SEND, words())).status).toBe(202);
    await quiet();
    const files = await readdir(path.join(dataDir, 'outbox'), { recursive: true, withFileTypes: true });
    // The file `alive`, whose time measures pauses of the processes, is empty as well.
    const found = files.filter(file => file.isFile() && file.name !== 'alive');
    expect(new Set(found.map(({ parentPath }) => path.basename(parentPath)))).toEqual(new Set(['delivered']));
    for (const { name, parentPath } of found) {
      expect(name).toMatch(/^[0-9a-f]{32}$/);
      expect(await readFile(path.join(parentPath, name), 'utf8')).toBe('');
    }
  });
});

describe('robots', () => {
  it.for<[what: string, extra: Record<string, string>, says: RegExp]>([
    ['fills in the honeypot', { website: 'https://spam.example' }, /This must stay empty/],
    ['is quicker than a page’s script', { elapsedMs: '40' }, /sooner than anybody can type/],
  ])(
    'a submission that %s is refused as a robot’s, and its response keeps the typed text',
    async ([_what, extra, says], { sample, quiet }) => {
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

  it('a robot that fills in the honeypot gets all errors at once', async ({ site, received }) => {
    const answer = await postJson(site.url, SEND, { ...words(), name: '', website: 'x' });
    expect(Object.keys(answer.json<{ errors: object }>().errors).sort()).toEqual(['name', 'website']);
    expect(received()).toEqual([]);
  });

  it('a sender who takes exactly the minimum time does not count as a robot', async ({
    site,
    received,
    quiet,
  }) => {
    expect((await postJson(site.url, SEND, { ...words(), elapsedMs: '2000' })).status).toBe(202);
    await quiet();
    expect(received()).toHaveLength(1);
  });
});
