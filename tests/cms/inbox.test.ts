import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { signIn } from './support/admin-client.ts';
import { cmsTest } from './support/cms-test.ts';
import { endStrapi, runStrapi } from './support/strapi.ts';

const UID = 'api::message.message';
const LIST = `/content-manager/collection-types/${UID}`;

/** Posts as the site does. */
const it = cmsTest.extend('post', { scope: 'file' }, async ({ cms, settings }) => {
  return async (message: object) => {
    const answer = await fetch(`${cms.url}/api/email/send`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${settings.SITE_TOKEN}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(message),
    });
    expect(answer.status).toBe(200);
  };
});

it('the inbox counts, exports and keeps messages, and deletes old ones', async ({
  cms,
  cmsSettings,
  settings,
  admin,
  post,
  onTestFinished,
}) => {
  const email = 'ida@example.com';
  await post({ form: 'contact', name: '=1+1', email, message: 'First "words"\nand more' });
  await post({ form: 'subscribe', email });
  const open = async () => ((await admin.call('GET', '/site/inbox')) as { open: number }).open;
  expect(await open()).toBe(2);
  const { results } = (await admin.call('GET', LIST)) as {
    results: { documentId: string; form: string }[];
  };
  const contact = results.find(({ form }) => form === 'contact');
  await admin.call('PUT', `${LIST}/${contact?.documentId}`, { done: true });
  expect(await open()).toBe(1);

  const { csv } = (await admin.call('GET', '/site/messages')) as { csv: string };
  expect(csv.split('\r\n')[0]).toContain('"createdAt","done","form","name","email"');
  expect(csv).toContain(`"true","contact","'=1+1","${email}"`);
  expect(csv).toContain('"First ""words""\nand more"');

  const { data: view } = (await admin.call('GET', `/content-manager/content-types/${UID}/configuration`)) as {
    data: { contentType: { layouts: { edit: { name: string }[][]; list: string[] } } };
  };
  const { edit, list } = view.contentType.layouts;
  expect(list).toEqual(['createdAt', 'form', 'name', 'email', 'message', 'done']);
  expect(edit.flat().map(({ name }) => name)).not.toContain('confirmUrl');
  expect((await admin.attempt('POST', LIST, { form: 'contact', idempotencyKey: 'x' })).status).toBe(403);
  for (const path of ['/site/inbox', '/site/messages'])
    expect((await fetch(cms.url + path)).status).toBe(401);

  // Messages expire after 0.01 s here, so the start deletes them. The subscription stays.
  const MESSAGES_DAYS = String(10 / 86_400_000);
  const strapi = await runStrapi({ ...cmsSettings, CMS_PORT: String(await freePort()), MESSAGES_DAYS });
  onTestFinished(() => endStrapi(strapi.child));
  const later = await signIn(strapi.url, settings.ADMIN_EMAIL ?? '', settings.ADMIN_PASSWORD ?? '');
  const kept = (await later.call('GET', LIST)) as { results: { form: string }[] };
  expect(kept.results.map(({ form }) => form)).toEqual(['subscribe']);
});

it('no response of the CMS has the secret links and keys of messages', async ({ cms, admin, post }) => {
  const secret = 'a-secret-of-the-links';
  const leaveUrl = `https://www.example.com/leave?token=${secret}`;
  await post({ form: 'subscribe', email: 'eve@example.com', confirmUrl: leaveUrl, leaveUrl });
  const { data: token } = (await admin.call('POST', '/admin/api-tokens', {
    ...{ name: 'All', description: '', type: 'full-access', lifespan: null },
  })) as { data: { accessKey: string } };
  for (const path of ['', '?populate=*', '/1']) {
    const headers = { authorization: `Bearer ${token.accessKey}` };
    expect((await fetch(`${cms.url}/api/messages${path}`, { headers })).status).toBe(404);
  }
  const listed = async (query: string) =>
    (await admin.call('GET', `${LIST}?${query}`)) as { results: Record<string, unknown>[] };
  const subscription = (await listed('_q=eve@example.com')).results[0];
  const id = subscription?.documentId;
  const entry = (await admin.call('GET', `${LIST}/${id}`)) as { data: Record<string, unknown> };
  const saved = (await admin.call('PUT', `${LIST}/${id}`, { done: true, leaveUrl: null })) as typeof entry;
  for (const shown of [subscription, entry.data, saved.data]) {
    expect(shown).toMatchObject({ email: 'eve@example.com' });
    for (const field of ['confirmUrl', 'leaveUrl', 'mailedAt', 'mailingSince', 'idempotencyKey'])
      expect(shown).not.toHaveProperty(field);
  }
  // Neither a search nor a filter reveals hidden values.
  expect((await listed(`_q=${secret}`)).results).toEqual([]);
  const filtered = await listed('filters[leaveUrl][$contains]=no-link-has-this');
  expect(filtered.results).toHaveLength((await listed('')).results.length);
  // The CSV does contain the unsubscribe links, because newsletters need them.
  const { csv: links } = (await admin.call('GET', '/site/messages')) as { csv: string };
  expect(links).toContain(leaveUrl);
});
