import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { picture } from '../support/image-test.ts';
import { sendRequest } from '../support/send-request.ts';
import { shownTest as it, SHOWN_ID } from '../support/shown-content-test.ts';

const NO_LIST = { question: 'Why?', answer: 'So.' };

describe('a problem of the content', () => {
  it('a content problem is a log entry, a row in GET /cache and a count in the metrics', async ({
    edit,
    startShown,
  }) => {
    edit({ questions: NO_LIST, updatedAt: '2026-01-05T00:00:00.000Z' });
    const site = await startShown();
    await site.html();
    const place = { type: 'pages', id: SHOWN_ID, field: 'questions' };
    const reason = 'an object is not shown: a list is needed';
    expect(site.lines()).toMatchObject([{ level: 'warn', code: 'content-value-left-out', ...place, reason }]);
    const [problem] = await site.problems();
    expect(problem).toMatchObject({ kind: 'value-left-out', ...place, reason });
    expect(Math.abs(Date.now() - Date.parse(problem?.since ?? ''))).toBeLessThan(3_600_000);
    expect(problem?.count).toBeGreaterThan(0);
    const { text } = await sendRequest(site.opsUrl, '/metrics');
    expect(text).toMatch(/^site_content_problems_total\{kind="value-left-out"\} [1-9]/m);
  });

  it('a content problem is logged once over many revalidations, and again when it changed', async ({
    edit,
    startShown,
  }) => {
    edit({ questions: NO_LIST, updatedAt: '2026-01-05T00:00:00.000Z' });
    const site = await startShown();
    await site.html();
    // The titles prove that the content was loaded again.
    for (const title of ['Second', 'Third']) {
      edit({ title, questions: NO_LIST, updatedAt: '2026-01-05T00:00:00.000Z' });
      await eventually(async () => expect(await site.html()).toContain(title));
    }
    expect(site.lines()).toHaveLength(1);
    expect(await site.problems()).toMatchObject([{ count: expect.toSatisfy(count => count >= 3) }]);
    edit({ title: 'Fourth', questions: NO_LIST, updatedAt: '2026-01-06T00:00:00.000Z' });
    await eventually(async () => expect(await site.html()).toContain('Fourth'));
    expect(site.lines()).toHaveLength(2);
  });

  it('a fixed content problem leaves the list, and is logged again when it returns', async ({
    edit,
    startShown,
  }) => {
    edit({ questions: NO_LIST });
    const site = await startShown();
    await site.html();
    edit({ title: 'Mended', questions: [NO_LIST] });
    await eventually(async () => expect(await site.html()).toContain('Why?'));
    expect(await site.problems()).toEqual([]);
    edit({ title: 'Broken', questions: NO_LIST });
    await eventually(async () => expect(await site.html()).toContain('Broken'));
    expect(await site.problems()).toHaveLength(1);
    expect(site.lines()).toHaveLength(2);
  });
});

describe('a picture that could not be measured', () => {
  it('an unmeasured picture gets its size after a revalidation, although the backend’s response is unchanged', async ({
    backend,
    edit,
    startShown,
  }) => {
    const photo = await picture(1000, 500);
    edit({ body: 'A picture\n\n![Late](/uploads/late.png)' });
    backend.on('/uploads/late.png', (_req, res) => res.writeHead(503).end());
    const site = await startShown();
    const tagOf = (html: string) => /<img[^>]*late\.png[^>]*>/.exec(html)?.[0];
    expect(tagOf(await site.html())).not.toMatch(/width=/);
    backend.on('/uploads/late.png', (_req, res) =>
      res.writeHead(200, { 'content-type': 'image/png' }).end(photo),
    );
    await eventually(async () => expect(tagOf(await site.html())).toMatch(/width="1000" height="500"/));
  });

  it('a picture that stays unmeasured does not change the version of its page', async ({
    backend,
    edit,
    startShown,
  }) => {
    edit({ body: '![Late](/uploads/late.png)' });
    backend.on('/uploads/late.png', (_req, res) => res.writeHead(404).end());
    const site = await startShown();
    const first = await sendRequest(site.url, '/shown', { headers: { accept: 'text/html' } });
    const asked = () => backend.callsTo('/uploads/late.png').length;
    await eventually(async () => {
      expect((await sendRequest(site.url, '/shown', { headers: { accept: 'text/html' } })).headers.etag).toBe(
        first.headers.etag,
      );
      expect(asked()).toBeGreaterThan(3);
    });
  });
});
