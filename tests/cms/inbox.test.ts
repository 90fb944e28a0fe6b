import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { signIn } from './support/admin-client.ts';
import { cmsTest as it } from './support/cms-test.ts';
import { endStrapi, runStrapi } from './support/strapi.ts';

const UID = 'api::message.message';
const LIST = `/content-manager/collection-types/${UID}`;

it('the inbox counts, exports and keeps what visitors wrote, and deletes what is old', async ({
  cms,
  cmsSettings,
  settings,
  admin,
  onTestFinished,
}) => {
  const post = async (message: object) => {
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

  // A day of 0.01 s in place of waiting: the messages are older, and the subscription stays.
  const MESSAGES_DAYS = String(10 / 86_400_000);
  const strapi = await runStrapi({ ...cmsSettings, CMS_PORT: String(await freePort()), MESSAGES_DAYS });
  onTestFinished(() => endStrapi(strapi.child));
  const later = await signIn(strapi.url, settings.ADMIN_EMAIL ?? '', settings.ADMIN_PASSWORD ?? '');
  const kept = (await later.call('GET', LIST)) as { results: { form: string }[] };
  expect(kept.results.map(({ form }) => form)).toEqual(['subscribe']);
});
