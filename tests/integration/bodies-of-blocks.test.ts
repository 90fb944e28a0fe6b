import { expect } from 'vitest';
import { cmsTest as it } from '../support/cms-test.ts';
import { getPage } from '../support/content-answers.ts';
import { startSite } from '../support/start-site.ts';

const BODY = [
  { type: 'heading', level: 2, children: [{ type: 'text', text: 'What it costs' }] },
  {
    type: 'paragraph',
    children: [
      { type: 'text', text: 'A fee, and ' },
      { type: 'text', text: 'a margin', bold: true },
    ],
  },
];
const SHOWN =
  /<h2 id="what-it-costs">What it costs<\/h2><a [^>]*><\/a><\/header><p>A fee, and <strong>a margin<\/strong><\/p>/;

it('Blocks in a JSON file and in front matter are shown like Markdown', async ({ cms }) => {
  await cms.write('pages/costs.json', JSON.stringify({ title: 'Costs', body: BODY }));
  await cms.write('pages/more-costs.md', `---\ntitle: More costs\nbody: ${JSON.stringify(BODY)}\n---\n`);
  await cms.write(
    'pages/plain-costs.md',
    '---\ntitle: Plain\n---\n\n## What it costs\n\nA fee, and **a margin**\n',
  );
  const site = await startSite({ contentBaseUrl: cms.url });
  try {
    for (const path of ['/costs', '/more-costs', '/plain-costs']) {
      const { status, text } = await getPage(site, path);
      expect([path, status, SHOWN.test(text)]).toEqual([path, 200, true]);
    }
    expect(site.log.filter(({ code }) => code === 'content-shown-as-text')).toEqual([]);
  } finally {
    await site.close();
  }
});
