import type { Element } from 'hast';
import { test } from 'vitest';
import { entryEvent, sendWebhook, startEditableBackend } from './editable-backend.ts';
import { eventually } from './eventually.ts';
import { capture } from './fake-backend.ts';
import { parsePage } from './parse-page.ts';
import { AS_BROWSER, sendRequest } from './send-request.ts';
import { startSite } from './start-site.ts';

export const SEND = '/api/email/send';
export const PAGE = '/about';
export const ADDRESSEE = 'visits-of-the-office@example.com';
const SECRET = 'a-secret-of-the-backend';

export const VISIT = {
  __component: 'site.form-section',
  title: 'Ask for a visit',
  addressee: ADDRESSEE,
  button: 'Ask for a visit',
  thanks: 'A date follows.',
  items: [
    { label: 'Your name', needed: true },
    { label: 'Your e-mail', input: 'email', needed: true, hint: 'For the date alone' },
    { label: 'Telephone', input: 'telephone' },
    { label: 'Where', input: 'choice', needed: true, options: 'At your office\nBy video' },
    { label: 'What else, "in short"?', input: 'long-text' },
    { label: 'You may call me', input: 'checkbox', needed: true },
  ],
};
export const BROCHURE = {
  __component: 'site.form-section',
  title: 'Ask for a brochure',
  items: [{ label: 'Postal address', input: 'long-text', needed: true }],
};

/** What a visitor types into the first form. */
export const TYPED = {
  'field:Your name': 'Ada Byron',
  'field:Your e-mail': 'ada@example.com',
  'field:Telephone': '+49 30 1234567',
  'field:Where': 'By video',
  'field:What else, "in short"?': 'Two lines,\nof text.',
  'field:You may call me': 'on',
};

/** Gives each test a page with two forms, on a site whose backend a test may edit. */
export const pageFormTest = test
  .extend('backend', { scope: 'file' }, async ({}, { onCleanup }) => {
    const backend = await startEditableBackend();
    onCleanup(() => backend.close());
    return backend;
  })
  .extend('site', { scope: 'file' }, async ({ backend }, { onCleanup }) => {
    backend.row('page', 'about').attributes.sections = [VISIT, BROCHURE];
    const settings = structuredClone(capture('v5-as-v4', 'settings.json')) as {
      data: { attributes: Record<string, unknown> };
    };
    // The recorded files do not exist on disk.
    Object.assign(settings.data.attributes, { customCss: [], scripts: [] });
    backend.on('/api/settings', settings);
    const env = { FORM_RATE_LIMIT: '10000', WEBHOOK_SECRET: SECRET };
    const site = await startSite({ contentBaseUrl: backend.url, env });
    onCleanup(() => site.close());
    return site;
  })
  /** Publishes sections of the page. */
  .extend('publish', async ({ backend, site }) => async (sections: readonly object[]) => {
    const row = backend.row('page', 'about');
    row.attributes.sections = sections;
    row.attributes.updatedAt = new Date().toISOString();
    const answer = await sendWebhook(site.url, SECRET, entryEvent('entry.publish', 'page', row));
    if (answer.status !== 200) throw new Error(`webhook: ${answer.status}`);
  })
  .extend('fresh', { auto: true }, async ({ backend, site, publish }) => {
    await publish([VISIT, BROCHURE]);
    await eventually(() => {
      if (site.site.outbox.state.waiting > 0) throw new Error('a message waits');
    });
    backend.calls.length = 0;
  })
  /** The hidden fields of the forms of the page, as a visitor's browser posts them. */
  .extend('hidden', async ({ site }) => async () => {
    const { text } = await sendRequest(site.url, PAGE, { headers: AS_BROWSER });
    return parsePage(text)
      .all('form')
      .map(hiddenOf)
      .filter(({ form }) => form?.startsWith('form-'));
  })
  /** The messages that the backend has received. */
  .extend('messages', async ({ backend, site }) => async () => {
    await eventually(() => {
      if (site.site.outbox.state.waiting > 0) throw new Error('a message waits');
    });
    return backend.callsTo(SEND).map(({ body }): unknown => JSON.parse(body));
  });

/** @returns all elements below an element. */
export function within(element: Element): Element[] {
  const children = element.children.filter(child => child.type === 'element');
  return children.flatMap(child => [child, ...within(child)]);
}

export function hiddenOf(form: Element): Record<string, string> {
  const hidden = within(form).filter(({ properties }) => properties.type === 'hidden');
  return Object.fromEntries(
    hidden.map(({ properties }) => [String(properties.name), String(properties.value)]),
  );
}
