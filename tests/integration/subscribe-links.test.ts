import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { createSubscribeLinks } from '../../server/forms/subscribe-links.ts';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend } from '../support/fake-backend.ts';
import { formTest, SEND } from '../support/form-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, postForm, postJson, sendRequest } from '../support/send-request.ts';

const SECRET = 'a-secret-of-the-newsletter-long-enough';
const PUBLIC_URL = 'https://www.example.com';
const SENTENCE = 'I agree to get **news** by e-mail, as the [privacy page](/privacy) says.';
const AS_TEXT = 'I agree to get news by e-mail, as the privacy page says.';

const it = formTest.extend(
  'siteEnv',
  { scope: 'file' },
  { FORM_RATE_LIMIT: '10000', SUBSCRIBE_SECRET: SECRET, PUBLIC_URL },
);

const newEmail = () => `${randomUUID()}@example.com`;
const subscription = (email: string) => ({ form: 'subscribe', email, page: '/', elapsedMs: '5000' });
const pathOf = (address: unknown) => String(address).replace(PUBLIC_URL, '');
const onDay = (day: number) => {
  const links = createSubscribeLinks({ subscribeSecret: [SECRET], publicOrigin: PUBLIC_URL }, () => day);
  if (!links) throw new Error('The links are off');
  return links;
};
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Headers of a browser at the public address. */
const VISITOR = { ...AS_BROWSER, host: 'www.example.com', 'x-forwarded-proto': 'https' };

function settingsWith(fields: Record<string, unknown>) {
  const settings = structuredClone(capture('v5-as-v4', 'settings.json')) as {
    data: { attributes: Record<string, unknown> };
  };
  Object.assign(settings.data.attributes, fields);
  return settings;
}

function withSentence(backend: FakeBackend, sentence: string | null): void {
  backend.on('/api/settings', settingsWith({ subscribeConsent: sentence }));
}

describe('the sentence of consent', () => {
  it('a checkbox asks for the consent, and the message contains its sentence', async ({
    backend,
    withSite,
    bodies,
    quiet,
  }) => {
    withSentence(backend, SENTENCE);
    await withSite({}, async site => {
      const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
      const boxes = parsePage(text)
        .all('input')
        .filter(({ properties }) => properties.type === 'checkbox' && properties.name === 'consent');
      expect(boxes.map(({ properties: { value, required } }) => [value, required])).toEqual([
        [AS_TEXT, true],
      ]);
      expect(text).toMatch(
        /<strong>news<\/strong> by e-mail, as the <a href="\/privacy"[^>]*>privacy page<\/a>/,
      );
      const email = newEmail();
      expect(await postJson(site.url, SEND, { ...subscription(email), consent: AS_TEXT })).toMatchObject({
        status: 202,
      });
      await quiet(site);
      expect(bodies().at(-1)).toEqual({ form: 'subscribe', email, consent: AS_TEXT });
    });
  });

  it.for([
    ['no consent', undefined, 'Please agree to this sentence.'],
    ['another sentence', 'I agree to nothing', 'This sentence has changed.'],
  ] as const)(
    'a subscription with %s is refused, with and without JavaScript',
    async ([, consent, says], { backend, withSite, received }) => {
      withSentence(backend, SENTENCE);
      await withSite({ env: { FORM_RATE_LIMIT: '2' } }, async site => {
        const fields = { ...subscription(newEmail()), ...(consent && { consent }) };
        const json = await postJson(site.url, SEND, fields);
        expect(json.status).toBe(422);
        expect(json.json<{ errors: Record<string, string> }>().errors.consent).toContain(says);
        const page = await postForm(site.url, SEND, fields);
        expect(page.status).toBe(422);
        expect(page.text).toContain(`id="subscribe-consent-error"`);
        expect(page.text).toContain(says);
        // The third request exceeds the limit, so its response is only the form.
        const bare = await postForm(site.url, SEND, fields);
        expect(bare.status).toBe(429);
        expect(bare.text).toContain(
          `<input type="checkbox" name="consent" value="${AS_TEXT}"> ${AS_TEXT}</label>`,
        );
        expect(received()).toEqual([]);
      });
    },
  );

  it('a form has no checkbox and no field for consent if the settings have no sentence', async ({
    withSite,
    bodies,
    quiet,
  }) => {
    await withSite({}, async site => {
      const { text } = await sendRequest(site.url, '/', { headers: AS_BROWSER });
      expect(text).not.toContain('subscribe-consent');
      expect(text).not.toContain('You will get an e-mail with a link.');
      const email = newEmail();
      await postJson(site.url, SEND, { ...subscription(email), consent: 'yes' });
      await quiet(site);
      expect(bodies().at(-1)).toEqual({ form: 'subscribe', email });
    });
  });
});

/** Links that do nothing, each with its fault, its address, and the status and title of its page. */
const BROKEN_LINKS: readonly (readonly [string, () => string | undefined, number, string])[] = [
  [
    'expired',
    () => onDay(Date.now() - 8 * DAY_MS).fieldsFor('a@example.com').confirmUrl,
    410,
    'This link is too old',
  ],
  [
    'for another step',
    () => onDay(Date.now()).fieldsFor('a@example.com').leaveUrl.replace('leave', 'confirm'),
    404,
    'This link is not complete',
  ],
  [
    'for another address',
    () =>
      onDay(Date.now())
        .fieldsFor('a@example.com')
        .confirmUrl.replace(/token=\w+/, `token=${Buffer.from('b@example.com').toString('base64url')}`),
    404,
    'This link is not complete',
  ],
  [
    'of another secret',
    () =>
      createSubscribeLinks({ subscribeSecret: [SECRET.toUpperCase()], publicOrigin: PUBLIC_URL })?.fieldsFor(
        'a@example.com',
      ).confirmUrl,
    404,
    'This link is not complete',
  ],
  ['without a token', () => '/subscribe/confirm', 404, 'This link is not complete'],
  ['with two tokens', () => '/subscribe/confirm?token=a&token=b', 404, 'This link is not complete'],
];

describe('links of a subscription', () => {
  it('subscription links are in the message, and open pages whose button sends one message', async ({
    site,
    bodies,
    quiet,
  }) => {
    const email = newEmail();
    await sendRequest(site.url, SEND, {
      method: 'POST',
      headers: { ...VISITOR, 'content-type': 'application/json' },
      body: JSON.stringify(subscription(email)),
    });
    await quiet();
    const message = bodies().at(-1) as Record<string, string>;
    expect(Object.keys(message).sort()).toEqual(['confirmUrl', 'email', 'form', 'language', 'leaveUrl']);
    for (const [step, address, title] of [
      ['confirm', message.confirmUrl, 'Confirm your subscription'],
      ['leave', message.leaveUrl, 'Leave the list'],
    ] as const) {
      expect(address).toMatch(new RegExp(`^https://www\\.example\\.com/subscribe/${step}\\?token=[\\w.-]+$`));
      const before = bodies().length;
      // Mail scanners open links, sometimes repeatedly.
      for (const method of ['GET', 'HEAD', 'GET']) {
        const page = await sendRequest(site.url, pathOf(address), { method, headers: VISITOR });
        expect(page.status).toBe(200);
        expect(page.headers).toMatchObject({
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
        });
        if (method === 'HEAD') continue;
        const { headings, main } = parsePage(page.text);
        expect(headings).toEqual([title]);
        expect(page.text).toContain('<meta name="robots" content="noindex">');
        expect(main).toContain(title);
        // Several people may read one mailbox, and one person several mailboxes.
        expect(main).toContain(email);
        // Neither markup nor data shows the token to a script or a link.
        expect(page.text).not.toContain(pathOf(address).split('token=')[1]);
        expect(page.text).not.toContain('data-entry');
      }
      expect(bodies()).toHaveLength(before);
      const presses = await Promise.all(
        [1, 2].map(() => postForm(site.url, pathOf(address), {}, { ...VISITOR, origin: 'null' })),
      );
      expect(presses.map(({ status }) => status)).toEqual([303, 303]);
      expect(presses[0]?.headers.location).toBe(`/subscribe/${step}?done`);
      await quiet();
      expect(bodies().slice(before)).toEqual([{ form: `subscribe-${step}`, email }]);
      const thanks = await sendRequest(site.url, `/subscribe/${step}?done`, { headers: VISITOR });
      expect(thanks.status).toBe(200);
      expect(parsePage(thanks.text).headings[0]).toMatch(/^You (?:are on|have left) the list$/);
      const used = await sendRequest(site.url, pathOf(address), { headers: VISITOR });
      expect(parsePage(used.text).headings).toEqual(['This link has been used']);
    }
    const log = site.rawLog.join('\n');
    expect(log).toContain('/subscribe/confirm');
    expect(log).not.toContain(email);
    expect(log).not.toContain(Buffer.from(email).toString('base64url'));
  });

  it.for(BROKEN_LINKS)(
    'a subscription link %s does nothing, and its page says what to do',
    async ([, address, status, title], { site, received }) => {
      const path = pathOf(address());
      for (const answer of [
        await sendRequest(site.url, path, { headers: VISITOR }),
        await postForm(site.url, path, {}, VISITOR),
      ]) {
        expect(answer.status).toBe(status);
        const page = parsePage(answer.text);
        expect(page.headings).toEqual([title]);
        expect(page.main).toMatch(/subscribe once more/);
        expect(page.main).not.toContain('<button');
        expect(answer.headers['cache-control']).toBe('no-store');
      }
      expect(received()).toEqual([]);
    },
  );

  it('an unsubscribe link works for ten years, and a confirmation link for seven days', () => {
    const { confirmUrl, leaveUrl } = onDay(0).fieldsFor('a@example.com');
    const stateOn = (day: number, step: 'confirm' | 'leave', address: string) =>
      onDay(day * DAY_MS).open(step, address.split('token=')[1] ?? '').state;
    expect([6.9, 7.1].map(day => stateOn(day, 'confirm', confirmUrl))).toEqual(['valid', 'expired']);
    expect([3_649, 3_651].map(day => stateOn(day, 'leave', leaveUrl))).toEqual(['valid', 'expired']);
  });

  it('the button of a subscription link accepts only POST requests from this site, up to a limit', async ({
    withSite,
    received,
  }) => {
    const env = { SUBSCRIBE_SECRET: SECRET, PUBLIC_URL, FORM_RATE_LIMIT: '1' };
    await withSite({ env }, async site => {
      const { confirmUrl } = onDay(Date.now()).fieldsFor(newEmail());
      const press = (headers: Record<string, string>) =>
        postForm(site.url, pathOf(confirmUrl), {}, { ...VISITOR, ...headers });
      expect((await press({ origin: 'https://evil.example' })).status).toBe(403);
      expect((await press({ 'sec-fetch-site': 'cross-site', origin: 'null' })).status).toBe(403);
      const put = await sendRequest(site.url, pathOf(confirmUrl), { method: 'PUT', headers: VISITOR });
      expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
      expect(received()).toEqual([]);
      expect((await press({ 'sec-fetch-site': 'same-origin' })).status).toBe(303);
      const limited = await press({});
      expect(limited.status).toBe(429);
      expect(limited.text).toContain('<form method="post"><button>Confirm</button></form>');
    });
  });

  it('subscription links work during an outage, on a page without content', async ({ backend, withSite }) => {
    const env = { SUBSCRIBE_SECRET: SECRET, PUBLIC_URL };
    for (const path of ['settings', 'landing', 'socials', 'redirects', 'articles', 'categories'])
      backend.on(`/api/${path}`, (_req, res) => void res.writeHead(503).end());
    await withSite({ env, begin: false }, async site => {
      const { leaveUrl } = onDay(Date.now()).fieldsFor(newEmail());
      const page = await sendRequest(site.url, pathOf(leaveUrl), { headers: VISITOR });
      expect(page.status).toBe(200);
      expect(page.text).toContain('<form method="post"><button>Leave</button></form>');
      expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    });
  });

  it('the page of a wrong link follows the settings, and shows no other link’s address', async ({
    backend,
    withSite,
  }) => {
    const env = { SUBSCRIBE_SECRET: SECRET, PUBLIC_URL, CONTENT_TTL_MS: '20' };
    await withSite({ env }, async site => {
      const email = newEmail();
      const { leaveUrl } = onDay(Date.now()).fieldsFor(email);
      const get = (path: string) => sendRequest(site.url, path, { headers: VISITOR });
      expect((await get(pathOf(leaveUrl))).text).toContain(email);
      const wrong = async () => (await get(`/subscribe/leave?token=wrong.${randomUUID()}.wrong`)).text;
      const [first, second] = [await wrong(), await wrong()];
      expect(second).toBe(first);
      expect(first).not.toContain(email);
      backend.on('/api/settings', settingsWith({ headerLinks: [{ title: 'Elsewhere', href: '/blog' }] }));
      await eventually(async () => expect(await wrong()).toContain('Elsewhere'));
    });
  });

  it('subscription links require PUBLIC_URL, so a secret alone is a configuration error', () => {
    for (const env of [{}, { PUBLIC_URL: 'any' }])
      expect(() => readConfig({ ...env, SUBSCRIBE_SECRET: SECRET })).toThrow(
        /PUBLIC_URL: wants .* SUBSCRIBE_SECRET/,
      );
  });

  it('without SUBSCRIBE_SECRET subscription links are a 404, and the form is unchanged', async ({
    withSite,
    bodies,
    quiet,
  }) => {
    await withSite({}, async site => {
      const { confirmUrl } = onDay(Date.now()).fieldsFor(newEmail());
      expect((await sendRequest(site.url, pathOf(confirmUrl), { headers: AS_BROWSER })).status).toBe(404);
      expect((await postForm(site.url, pathOf(confirmUrl), {})).status).toBe(404);
      const email = newEmail();
      await postJson(site.url, SEND, subscription(email));
      await quiet(site);
      expect(bodies()).toEqual([{ form: 'subscribe', email }]);
    });
  });
});

describe('the form where a link confirms', () => {
  it('the subscription form and its thanks announce the e-mail with the confirmation link', async ({
    site,
  }) => {
    const form = await sendRequest(site.url, '/', { headers: VISITOR });
    expect(form.text).toContain('You will get an e-mail with a link.');
    const thanks = await sendRequest(site.url, '/?sent=subscribe', { headers: VISITOR });
    expect(thanks.text).toContain('Please open the link in the e-mail');
  });

  it('a form on the page of a subscription link returns to the home page', async ({ site }) => {
    const answer = await postForm(
      site.url,
      SEND,
      { ...subscription(newEmail()), page: '/subscribe/leave' },
      VISITOR,
    );
    expect(answer.headers.location).toBe('/?sent=subscribe#subscribe');
  });
});
