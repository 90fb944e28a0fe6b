import { describe, expect } from 'vitest';
import { ConfigError, readConfig } from '../../server/config/config.ts';
import { createSubscribeLinks } from '../../server/forms/subscribe-links.ts';
import { formerSecretNote } from '../../server/http/security/secret-uses.ts';
import { createPreviewCookie } from '../../server/previews/preview-cookie.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { formTest, SEND } from '../support/form-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { editor, TOKEN } from '../support/preview-test.ts';
import { AS_BROWSER, postForm, postJson, sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const FORMER = 'the-former-secret-of-this-site-012345';
const CURRENT = 'the-current-secret-of-this-site-01234';
const OTHER = 'another-secret-of-another-site-012345';
const PUBLIC_URL = 'https://www.example.com';
const VISITOR = { ...AS_BROWSER, host: 'www.example.com', 'x-forwarded-proto': 'https' };
/** Each secret with its expected result: the current secret, the former one, another one. */
const secretsWith = <T>(right: T, wrong: T) =>
  [
    ['current', CURRENT, right],
    ['former', FORMER, right],
    ['another', OTHER, wrong],
  ] as const;

/** A site in the middle of a rotation of its secrets. */
const it = formTest.extend(
  'siteEnv',
  { scope: 'file' },
  {
    ...{ PUBLIC_URL, FORM_RATE_LIMIT: '10000', PREVIEW_TOKEN: TOKEN },
    ...{ WEBHOOK_SECRET: CURRENT, WEBHOOK_SECRET_OLD: FORMER },
    ...{ SUBSCRIBE_SECRET: CURRENT, SUBSCRIBE_SECRET_OLD: FORMER },
    ...{ PREVIEW_SECRET: CURRENT, PREVIEW_SECRET_OLD: FORMER },
  },
);

function linksOf(secret: string, email: string) {
  const links = createSubscribeLinks({ subscribeSecret: [secret], publicOrigin: PUBLIC_URL });
  if (!links) throw new Error('The links are off');
  return links.fieldsFor(email);
}
const pathOf = (address: unknown) => String(address).replace(PUBLIC_URL, '');

/** @returns the former secrets with uses on the ops page. */
async function formerUsesIn({ opsUrl }: Pick<RunningSite, 'opsUrl'>) {
  const { text } = await sendRequest(opsUrl, '/');
  const rows = text.matchAll(
    />(\w+_OLD)<\/th><td[^>]*>yes<\/td><td[^>]*><time[^>]*>[^<]+ ago<\/time>, ([^<]+)</g,
  );
  return Object.fromEntries(Array.from(rows, ([, name, uses]) => [name, uses]));
}

describe('during a rotation', () => {
  it.for(secretsWith(200, 401))(
    'an event with the %s secret is accepted only if the secret is valid, and the log names the secret',
    async ([name, secret, status], { site }) => {
      const before = site.log.length;
      expect((await sendWebhook(site.url, secret, { event: 'trigger-test' })).status).toBe(status);
      const lines = site.log.slice(before).filter(({ code }) => code === 'webhook-accepted');
      expect(lines.map(line => line.secret)).toEqual(status === 200 ? [name] : []);
    },
  );

  it.for(secretsWith(307, 401))(
    'a preview opens only with a valid secret: %s',
    async ([, secret, status], { site }) => {
      const path = `/api/preview?url=/about&status=draft&secret=${secret}`;
      const answer = await sendRequest(site.url, path, { headers: VISITOR });
      expect(answer.status).toBe(status);
    },
  );

  it.for(secretsWith('private, no-store', undefined))(
    'a preview cookie signed with the %s secret counts only if the secret is valid',
    async ([, secret, caching], { site }) => {
      const headers = { ...VISITOR, ...editor('published', secret) };
      const page = await sendRequest(site.url, '/about', { headers });
      expect(page.status).toBe(200);
      expect(page.headers['x-robots-tag']).toBe(caching && 'noindex');
      if (caching) expect(page.headers['cache-control']).toBe(caching);
    },
  );

  it.for(secretsWith([200, 303], [404, 404]))(
    'e-mail links signed with the %s secret work only if the secret is valid',
    async ([name, secret, statuses], { site, bodies, quiet }) => {
      const email = `${name}@example.com`;
      const { confirmUrl, leaveUrl } = linksOf(secret, email);
      for (const address of [confirmUrl, leaveUrl]) {
        const page = await sendRequest(site.url, pathOf(address), { headers: VISITOR });
        const press = await postForm(site.url, pathOf(address), {}, VISITOR);
        expect([page.status, press.status]).toEqual(statuses);
      }
      await quiet();
      const steps = statuses[0] === 200 ? ['confirm', 'leave'] : [];
      expect(bodies().filter(body => (body as { email: string }).email === email)).toEqual(
        steps.map(step => ({ form: `subscribe-${step}`, email })),
      );
    },
  );

  it('new links and cookies are signed only with the current secret', async ({
    site,
    bodies,
    quiet,
    withSite,
  }) => {
    const email = 'anew@example.com';
    await postJson(site.url, SEND, { form: 'subscribe', email, page: '/', elapsedMs: '5000' });
    await quiet();
    const { confirmUrl } = bodies().at(-1) as { confirmUrl: string };
    const opened = await sendRequest(site.url, `/api/preview?url=/about&status=draft&secret=${FORMER}`, {
      headers: VISITOR,
    });
    const cookie = opened.headers['set-cookie']?.join().split(';', 1)[0] ?? '';
    const env = { PUBLIC_URL, PREVIEW_TOKEN: TOKEN, SUBSCRIBE_SECRET: CURRENT, PREVIEW_SECRET: CURRENT };
    // The site after the rotation.
    await withSite({ env }, async after => {
      const page = await sendRequest(after.url, pathOf(confirmUrl), { headers: VISITOR });
      expect(parsePage(page.text).headings).toEqual(['Confirm your subscription']);
      const about = await sendRequest(after.url, '/about', { headers: { ...VISITOR, cookie } });
      expect(about.headers['cache-control']).toBe('private, no-store');
      const old = await sendRequest(after.url, pathOf(linksOf(FORMER, email).confirmUrl), {
        headers: VISITOR,
      });
      expect(old.status).toBe(404);
    });
  });

  it.for<[name: string, path: (secret: string) => string, headers: (secret: string) => object]>([
    ['SUBSCRIBE_SECRET_OLD', secret => pathOf(linksOf(secret, 'use@example.com').leaveUrl), () => ({})],
    ['PREVIEW_SECRET_OLD', secret => `/api/preview?url=/about&status=draft&secret=${secret}`, () => ({})],
    ['PREVIEW_SECRET_OLD', () => '/about', secret => editor('published', secret)],
  ])(
    'the use of a former secret is logged once: %s',
    async ([name, path, headers], { withSite, siteEnv }) => {
      await withSite({ env: siteEnv }, async site => {
        const use = async (secret: string) => {
          await sendRequest(site.url, path(secret), { headers: { ...VISITOR, ...headers(secret) } });
          return site.log.filter(({ code }) => code === 'secret-former-used');
        };
        expect(await use(OTHER)).toEqual([]);
        expect(await use(CURRENT)).toEqual([]);
        expect(await use(FORMER)).toMatchObject([{ level: 'info', secret: name }]);
        expect(await use(FORMER)).toHaveLength(1);
        expect(await formerUsesIn(site)).toEqual({ [name]: expect.stringMatching(/^[2-9] in all$/) });
      });
    },
  );

  it('the ops page shows which former secrets are set, and how often the webhook has used its former secret', async ({
    withSite,
    siteEnv,
  }) => {
    const { PREVIEW_SECRET_OLD: _, ...env } = siteEnv;
    await withSite({ env }, async site => {
      for (const secret of [FORMER, CURRENT, OTHER, FORMER, FORMER])
        await sendWebhook(site.url, secret, { event: 'trigger-test' });
      expect(await formerUsesIn(site)).toEqual({ WEBHOOK_SECRET_OLD: '3 in all' });
      const { text } = await sendRequest(site.opsUrl, '/');
      const setOf = (name: string) => new RegExp(`${name}_OLD</th><td[^>]*>(\\w+)</td>`).exec(text)?.[1];
      expect(['WEBHOOK_SECRET', 'SUBSCRIBE_SECRET', 'PREVIEW_SECRET', 'SHARED_SECRET'].map(setOf)).toEqual([
        ...['yes', 'yes', 'no', undefined],
      ]);
    });
  });

  it('the use of a former secret is logged again after an hour', () => {
    let now = 0;
    const logged: number[] = [];
    const parts = { log: { info: () => logged.push(now) }, metrics: { count() {} } };
    const note = formerSecretNote(parts, 'PREVIEW_SECRET_OLD', () => now);
    for (; now < 3 * 3_600_000; now += 600_000) note();
    expect(logged).toEqual([0, 3_600_000, 7_200_000]);
  });

  it('an expired cookie that a former secret has signed does not count as a use of it', () => {
    let uses = 0;
    const day = 86_400_000;
    const cookie = createPreviewCookie([FORMER], () => 0).begin({ status: 'draft', at: null });
    const later = createPreviewCookie(
      [CURRENT, FORMER],
      () => day,
      () => (uses += 1),
    );
    expect([later.read(cookie), uses]).toEqual([null, 0]);
  });

  it.for(['WEBHOOK_SECRET', 'SUBSCRIBE_SECRET', 'PREVIEW_SECRET'])(
    'a former secret without a current one is a configuration error: %s',
    name => {
      const env = { PUBLIC_URL, PREVIEW_TOKEN: TOKEN };
      expect(() => readConfig({ ...env, [`${name}_OLD`]: FORMER })).toThrow(ConfigError);
      expect(() => readConfig({ ...env, [`${name}_OLD`]: FORMER })).toThrow(
        `${name}: wants the new secret, because ${name}_OLD is set`,
      );
      expect(() => readConfig({ ...env, [name]: CURRENT, [`${name}_OLD`]: 'short' })).toThrow(
        `${name}_OLD: wants at least`,
      );
    },
  );
});
