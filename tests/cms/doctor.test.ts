import { describe, expect } from 'vitest';
import { labelOf, namedTypes, permissionLabelOf } from '../../server/wire/described-types.ts';
import { eventually } from '../support/eventually.ts';
import { doctorTest as it, linesAbout } from './support/doctor-cms.ts';

describe('the doctor and the Strapi of the project', () => {
  it('the doctor finds no fault in the project’s Strapi after its setup', async ({
    cms,
    site,
    admin,
    getPage,
  }) => {
    const [page] = (await admin.list('page')).filter(({ slug }) => slug === 'press');
    await admin.publish('page', page?.documentId ?? '', { description: 'Its event reaches the site.' });
    await eventually(async () => expect((await getPage('/press')).text).toContain('Its event reaches'));
    const env = { PUBLIC_URL: site.url, OPS_PORT: new URL(site.opsUrl).port };
    expect(await linesAbout(cms.url, { ...env, posts: true })).toEqual([]);
  });

  it('the doctor reports each permission that the token lacks', async ({ cms, tokens }) => {
    const all = await tokens.permissionsOf('Site');
    try {
      for (const [name, type] of namedTypes) {
        await tokens.permit(
          'Site',
          all.filter(action => !action.startsWith(`api::${name}.`)),
        );
        expect(await linesAbout(cms.url)).toEqual([
          expect.stringMatching(
            new RegExp(
              `^error ${type.path}: .*“${labelOf(name)}” .*403 → .*API Tokens .*→ ${permissionLabelOf(name)} → allow find`,
            ),
          ),
        ]);
      }
      await tokens.permit(
        'Site',
        all.filter(action => !action.startsWith('api::country.')),
      );
      expect(await linesAbout(cms.url)).toEqual([
        expect.stringMatching(/^error landing: .* without 'countries_list'.* → Country → allow find/),
      ]);
      await tokens.permit(
        'Site',
        all.filter(action => !action.startsWith('api::email.')),
      );
      expect(await linesAbout(cms.url, { posts: true, WEBHOOK_SECRET: '' })).toEqual(
        expect.arrayContaining([expect.stringMatching(/^error email: .*403.* → allow 'send' of Email/)]),
      );
    } finally {
      await tokens.permit('Site', all);
    }
  });

  it('the doctor reports a wrong token, a missing one, and a preview token that may read nothing', async ({
    cms,
    tokens,
  }) => {
    expect(await linesAbout(cms.url, { CONTENT_TOKEN: 'wrong' })).toEqual([
      expect.stringMatching(/^error token: the CMS does not accept CONTENT_TOKEN \(401\)/),
    ]);
    expect(await linesAbout(cms.url, { CONTENT_TOKEN: '' })).toEqual([
      expect.stringMatching(
        /^error token: the CMS asks for credentials \(401\), and CONTENT_TOKEN is not set/,
      ),
    ]);
    const all = await tokens.permissionsOf('Site preview');
    await tokens.permit('Site preview', ['api::social.social.find']);
    expect(await linesAbout(cms.url)).toEqual([
      expect.stringMatching(/^warning preview: the token in PREVIEW_TOKEN may not read “Article”/),
    ]);
    await tokens.permit('Site preview', all);
    expect(await linesAbout(`${cms.url}/admin`)).toEqual([
      expect.stringMatching(new RegExp(`^error address: .*but at ${cms.url} `)),
    ]);
  });

  it('the doctor reports an unpublished single type', async ({ cms, admin }) => {
    const landing = '/content-manager/single-types/api::landing.landing';
    await admin.call('POST', `${landing}/actions/unpublish`, {});
    expect(await linesAbout(cms.url)).toEqual([
      expect.stringMatching(/^error landing: “Home page” .* is saved and not published \(404\) → .*Publish/),
    ]);
    await admin.publish('landing', null, {});
    expect(await linesAbout(cms.url)).toEqual([]);
  });
});
