import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { sendRequest } from '../support/send-request.ts';
import { signIn } from './support/admin-client.ts';
import { formsTest } from './support/forms-test.ts';
import type { MailServer } from './support/mail-server.ts';

const it = formsTest.extend('cmsEnv', { scope: 'file' }, async ({ mail }) => ({
  SMTP_HOST: '127.0.0.1',
  SMTP_PORT: String(mail.port),
  MAIL_FROM: 'site@example.com',
  MAIL_TO: 'office@example.com',
  EDITORS_MAIL: 'editors@example.com',
  CMS_URL: 'https://cms.example.com',
}));

interface ReadyDraft {
  id: string;
  title: string;
  readyBy: string;
  readySince: string;
}
type Panel = Awaited<ReturnType<typeof signIn>>;

const readyIn = async (panel: Panel) =>
  ((await panel.call('GET', '/site/ready')) as { drafts: ReadyDraft[] }).drafts;
/** The CMS sends mails in the order of the drafts: once a later mail is here, no earlier one follows. */
const mailsAbout = (mail: MailServer, title: string) =>
  mail.mails.filter(text => text.includes(`Subject: Ready to publish: ${title}`));
/** @returns a mail's text without the line ends of quoted-printable (RFC 2045). */
const plain = (mail = '') => mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');

describe('a draft that is ready', () => {
  it('an author’s draft waits for editors, with one mail, until it is published', async ({
    cms,
    admin,
    mail,
    settings,
  }) => {
    const { data: roles } = (await admin.call('GET', '/admin/roles')) as {
      data: { id: number; code: string }[];
    };
    const person = { firstname: 'Ada', lastname: 'Writer', email: 'ada@example.com' };
    const password = 'Password-of-ada-1';
    const isAuthor = ({ code }: { code: string }) => code === 'strapi-author';
    const { data: user } = (await admin.call('POST', '/admin/users', {
      ...person,
      roles: [roles.find(isAuthor)?.id],
    })) as { data: { id: number } };
    await admin.call('PUT', `/admin/users/${user.id}`, { password, isActive: true });
    const author = await signIn(cms.url, person.email, password);

    const foreign = await admin.create('page', { title: 'Of an editor', ready: true });
    const id = await author.create('page', { title: 'Fees from May' });
    expect((await readyIn(admin)).map(draft => draft.id)).toEqual([foreign]);
    await author.save('page', id, { ready: true });
    await author.save('page', id, { ready: true, description: 'A word more' });
    const [, draft] = await readyIn(admin);
    expect(draft).toMatchObject({ id, title: 'Fees from May', readyBy: 'Ada Writer', type: 'Page' });
    expect(Math.abs(Date.now() - Date.parse(draft?.readySince ?? ''))).toBeLessThan(600_000);
    // Authors can read only their own entries.
    expect((await readyIn(author)).map(one => one.id)).toEqual([id]);

    await author.save('page', id, { ready: false });
    expect((await readyIn(admin)).map(one => one.id)).toEqual([foreign]);
    await author.save('page', id, { ready: true });
    await eventually(() => expect(mailsAbout(mail, 'Fees')).toHaveLength(2));
    const [text] = mailsAbout(mail, 'Fees').map(plain);
    expect(text).toContain('To: editors@example.com');
    expect(text).toContain('Ada Writer');
    const form = `https://cms.example.com/admin/content-manager/collection-types/api::page.page/${id}`;
    expect(text).toContain(`<a href="${form}/preview">`);
    expect(text).not.toContain(settings.PREVIEW_SECRET);

    await admin.publish('page', id, { ready: true });
    expect((await readyIn(admin)).map(one => one.id)).toEqual([foreign]);
    // Publishing clears the ready mark. A draft that is marked and published in one call sends no mail.
    await admin.publish('page', id, { title: 'Marked and published', ready: true });
    await admin.save('page', id, { title: 'Once more', ready: true });
    await eventually(() => expect(mailsAbout(mail, 'Once more')).toHaveLength(1));
    expect(mailsAbout(mail, 'Fees')).toHaveLength(2);
    expect(mailsAbout(mail, 'Marked and published')).toEqual([]);
  });

  it('a draft stays ready when the CMS refuses to publish it', async ({ admin }) => {
    const id = await admin.create('article', { title: 'Without a category', ready: true });
    const path = `/content-manager/collection-types/api::article.article/${id}/actions/publish`;
    expect((await admin.attempt('POST', path, {})).status).toBe(400);
    expect((await readyIn(admin)).map(one => one.id)).toContain(id);
  });

  it('a draft is saved and listed even if its mail fails, and the log says why', async ({
    admin,
    mail,
    cms,
  }) => {
    mail.accepts = false;
    const id = await admin.create('page', { title: 'Without a mail', ready: true });
    expect((await readyIn(admin)).map(one => one.id)).toContain(id);
    await eventually(() => expect(cms.output()).toContain('Editors got no mail of a draft that is ready'));
    mail.accepts = true;
  });

  it('no token can read the ready mark, and only panel users can read the list of ready drafts', async ({
    cms,
    admin,
    settings,
  }) => {
    await admin.create('page', { title: 'Secret wait', ready: true });
    const read = await sendRequest(
      cms.url,
      '/api/pages?status=draft&filters[title][$eq]=Secret wait'.replace(/ /g, '%20'),
      {
        headers: { Authorization: `Bearer ${settings.PREVIEW_TOKEN}` },
      },
    );
    const { data } = read.json<{ data: object[] }>();
    expect(data).toHaveLength(1);
    expect(Object.keys(data[0] ?? {}).filter(field => field.startsWith('ready'))).toEqual([]);
    expect((await fetch(`${cms.url}/site/ready`)).status).toBe(401);
  });
});
