import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { SEND } from '../support/form-test.ts';
import { hiddenOf, TYPED, VISIT } from '../support/page-form-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';
import { formsTest as it, messages } from './support/forms-test.ts';

it('a form that editors build in the CMS is shown, sent and mailed to its addressee', async ({
  site,
  admin,
  mail,
}) => {
  const [page] = (await admin.list('page')).filter(({ slug }) => slug === 'terms');
  await admin.publish('page', page?.documentId ?? '', { sections: [VISIT] });
  const shown = await eventually(async () => {
    const { text } = await sendRequest(site.url, '/terms', { headers: AS_BROWSER });
    expect(text).toContain('You may call me');
    return text;
  });
  expect(shown).not.toContain(VISIT.addressee);
  const [visit] = parsePage(shown)
    .all('form')
    .map(hiddenOf)
    .filter(({ form }) => form?.startsWith('form-'));
  const answer = await postForm(site.url, SEND, { ...visit, ...TYPED });
  expect([answer.status, answer.headers.location]).toEqual([303, `/terms?sent=form-1#${visit?.form}`]);
  const [kept] = await eventually(async () => {
    const found = (await messages(admin)).filter(({ form }) => form === 'page-form');
    expect(found).toHaveLength(1);
    return found;
  });
  expect(kept).toMatchObject({
    topic: 'Ask for a visit',
    page: '/terms',
    email: 'ada@example.com',
    to: VISIT.addressee,
    message: expect.stringContaining('Telephone: +49 30 1234567\nWhere: By video'),
  });
  await eventually(() => expect(mail.mails.filter(text => text.includes('Ada Byron'))).toHaveLength(1));
  const [text = ''] = mail.mails.filter(one => one.includes('Ada Byron'));
  expect(text).toContain(`To: ${VISIT.addressee}`);
  expect(text).toContain('Subject: Form: Ask for a visit');
  expect(text).toContain('Reply-To: ada@example.com');
  expect(text).toContain('Page: /terms');
  const { open } = (await admin.call('GET', '/site/inbox')) as { open: number };
  expect(open).toBeGreaterThan(0);
});
