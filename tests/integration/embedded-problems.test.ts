import { expect } from 'vitest';
import type { Report } from '../../server/doctor/examine.ts';
import { article } from '../support/cms-files.ts';
import { cmsTest as it } from '../support/cms-test.ts';
import { eventually } from '../support/eventually.ts';
import { sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

it('log entries and findings about a content folder name the file', async ({ cms }) => {
  await cms.write('articles/rules.md', article('title: Rules\ncategory: guides\nseo: { metaRobots: nope }'));
  await cms.restart();
  const site = await startSite({ contentBaseUrl: cms.url, backendName: 'embedded:test', fileOf: cms.fileOf });
  try {
    await sendRequest(site.url, '/blog/guides/rules');
    await eventually(async () =>
      expect(site.log).toContainEqual(
        expect.objectContaining({ code: 'content-value-left-out', file: 'articles/rules.md' }),
      ),
    );
    await site.site.doctor.examine();
    const { findings } = (await sendRequest(site.opsUrl, '/doctor')).json<Report>();
    // The article `outside` has no category.
    const homeless = findings.find(({ what }) => what.includes('have no category'));
    expect(homeless?.remedy).toBe('edit content/articles/ (content/README.md describes the keys)');
    expect(findings.filter(({ remedy }) => remedy.startsWith('Strapi'))).toEqual([]);
  } finally {
    await site.close();
  }
});
