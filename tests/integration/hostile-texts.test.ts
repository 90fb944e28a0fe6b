import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import {
  type CompilePool,
  type CompilePoolOptions,
  createCompilePool,
  TASK_LIMITS,
} from '../../server/rich-text/compiling/compile-pool.ts';
import {
  fence,
  HOSTILE_PICTURES,
  MANY_ELEMENTS,
  repeatedTo,
  SLOW_CODE,
  serveHostilePictures,
} from '../faults/hostile-texts.ts';
import { servePages } from '../faults/pages-by-slug.ts';
import { COMPILE_WORKER } from '../support/compile-pool.ts';
import { some } from '../support/in-full.ts';
import { patient } from '../support/patience.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { siteTest } from '../support/site-test.ts';
import type { LogLine, RunningSite } from '../support/start-site.ts';

const it = siteTest
  .extend('addPage', async ({ backend }) => servePages(backend))
  /** Shows a text on a separate page. @returns the page's HTML, and the log entries about the text. */
  .extend(
    'show',
    async ({ addPage, site }) =>
      async (slug: string, body: unknown, on: RunningSite = site) => {
        const { status, text } = await sendRequest(on.url, addPage(slug, { body }), { headers: AS_BROWSER });
        expect(status).toBe(200);
        return { html: text, lines: linesAbout(on, slug) };
      },
  );

function linesAbout({ log }: RunningSite, slug: string): readonly LogLine[] {
  return log.filter(({ code, id }) => code.startsWith('content-') && id === `id-${slug}`);
}

const place = (slug: string) => ({ type: 'pages', id: `id-${slug}`, field: 'body' });

describe('code whose highlighting takes minutes', () => {
  it('code whose highlighting takes minutes stays plain, and the rest of its text is unaffected', async ({
    show,
  }) => {
    const honest = '```ts\nexport const answer = 42;\n```';
    const { html, lines } = await show(
      'slow-code',
      `${honest}\n\n${SLOW_CODE}\n\n${honest}\n\n**Last words**`,
    );
    expect(lines).toMatchObject([
      {
        code: 'content-shown-as-text',
        ...place('slow-code'),
        reason: 'the code of block 2 is shown without colours: it took longer than 250 ms of CPU time',
      },
    ]);
    expect(html.match(/<span class="el-code-keyword">export<\/span>/g)).toHaveLength(2);
    expect(html).toContain(`>${'&lt;script&gt;'.repeat(100)}`);
    expect(html).toContain('<strong>Last words</strong>');
  });

  it('after two slow code blocks, all further code of a text stays plain', async ({ show }) => {
    const code = fence('html', repeatedTo(6_000, '<script>'));
    const { html, lines } = await show('slow-blocks', `${`${code}\n\n`.repeat(9)}**Last words**`);
    expect(lines.map(({ reason }) => reason)).toEqual([
      expect.stringMatching('^the code of block 1 is shown without colours: '),
      expect.stringMatching('^the code of block 2 is shown without colours: '),
      expect.stringMatching('^the code of block 3 is shown without colours, and so is all code after it: '),
    ]);
    expect(html).toContain('<strong>Last words</strong>');
  });
});

describe('a picture in which a search for the tag `<svg …>` takes minutes', () => {
  it('an SVG in which a search for its tag would take minutes is shown without a size', async ({
    backend,
    show,
  }) => {
    serveHostilePictures(backend);
    const sources = [...HOSTILE_PICTURES.keys()];
    const { html } = await show('hostile-pictures', sources.map(src => `![a](${src})`).join('\n\n'));
    for (const src of sources) {
      const [tag = ''] = new RegExp(`<img[^>]*src="${src}"[^>]*>`).exec(html) ?? [];
      expect(tag).not.toBe('');
      expect(tag).not.toMatch(/width=/);
      expect(backend.callsTo(src)).toHaveLength(1);
    }
  });
});

describe('ordinary code of 20 KB', () => {
  const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');
  const styles = [
    'site/brand/tokens',
    'shared/styles/scheme',
    'shared/styles/base',
    'shared/styles/navigation',
  ].map(name => read(`${name}.css`));

  const languages: readonly [string, (page: string) => string, string][] = [
    [
      'ts',
      () =>
        ['reading/content-reader', 'store/content-cache', 'store/content-reads', 'store/content-loads']
          .map(name => read(`server/content/${name}.ts`))
          .join('\n'),
      'keyword',
    ],
    ['css', () => styles.join('\n').repeat(2), 'name'],
    ['html', page => page.repeat(2), 'string'],
  ];

  it.for(some(languages, 1))(
    '20 KB of ordinary code are highlighted: %s',
    async ([language, source, token], { show, site }) => {
      const page = await sendRequest(site.url, '/about', { headers: AS_BROWSER });
      const code = source(page.text).replaceAll('```', '').slice(0, 19_990);
      expect(code.length).toBe(19_990);
      const { html, lines } = await show(`honest-${language}`, `\`\`\`${language}\n${code}\n\`\`\``);
      expect(lines).toEqual([]);
      expect(html.split(`<span class="el-code-${token}">`).length).toBeGreaterThan(100);
    },
  );
});

/** A site with its own threads, which end with the test. */
const ownPool = it.extend('startWithPool', async ({ startOwnSite }, { onCleanup }) => {
  const pools: CompilePool[] = [];
  onCleanup(async () => {
    await Promise.all(pools.map(pool => pool.close()));
  });
  return async (options: Partial<CompilePoolOptions>): Promise<RunningSite> => {
    const compilePool = createCompilePool({ file: COMPILE_WORKER, ...options });
    pools.push(compilePool);
    return startOwnSite({ overrides: { compilePool } });
  };
});

describe('a text that takes too long', () => {
  ownPool('a slow text leaves the main thread to other visitors', async ({ addPage, startWithPool }) => {
    const site = await startWithPool({
      limits: { taskMs: 1_000, blockMs: Infinity, wallMs: patient(15_000) },
    });
    const cached = addPage('cached', { body: 'A text.' });
    await sendRequest(site.url, cached);
    const slow = addPage('too-long', { body: `${SLOW_CODE}\n\n**Last words**` });
    let isAnswered = false;
    const answer = sendRequest(site.url, slow, { headers: AS_BROWSER }).finally(() => {
      isAnswered = true;
    });
    let rounds = 0;
    while (!isAnswered) {
      const [page, health] = await Promise.all([
        sendRequest(site.url, cached),
        sendRequest(site.opsUrl, '/healthz'),
      ]);
      expect([page.status, health.status]).toEqual([200, 200]);
      rounds += 1;
    }
    // The main thread runs many rounds, so compiling does not block it.
    expect(rounds).toBeGreaterThan(20);
    const { status, text } = await answer;
    expect(status).toBe(200);
    expect(text).toContain('&lt;script&gt;'.repeat(100));
    expect(text).toContain('<strong>Last words</strong>');
    const reason = 'all code is shown without colours: it took longer than 1 s of CPU time';
    expect(linesAbout(site, 'too-long')).toMatchObject([
      { code: 'content-shown-as-text', ...place('too-long'), reason },
    ]);
  });

  ownPool('a slow text is shown without its formatting', async ({ show, startWithPool }) => {
    const site = await startWithPool({ limits: { ...TASK_LIMITS, taskMs: 100 } });
    const { html, lines } = await show('elements', MANY_ELEMENTS, site);
    expect(html).toContain(`<p>${'a '.repeat(1_000)}`);
    const reason = 'the text is shown without its formatting: it took longer than 0.1 s of CPU time';
    expect(lines).toMatchObject([{ code: 'content-shown-as-text', ...place('elements'), reason }]);
  });

  ownPool(
    'a text that takes all memory of its thread is shown without its formatting',
    async ({ show, startWithPool }) => {
      const site = await startWithPool({ maxHeapMb: 24 });
      const { html, lines } = await show('memory', MANY_ELEMENTS, site);
      expect(html).toContain(`<p>${'a '.repeat(1_000)}`);
      expect(lines).toMatchObject([{ ...place('memory'), reason: expect.stringContaining('memory limit') }]);
      expect((await show('after', 'The next *text*.', site)).html).toContain('<em>text</em>');
    },
  );
});

describe('texts that are too large for a page', () => {
  it('texts too large for a page are cut, with a log entry', async ({ show }) => {
    const { html, lines } = await show('cut', MANY_ELEMENTS);
    expect(html.match(/<b|<strong/g)?.length).toBeLessThanOrEqual(10_000);
    expect(html.match(/<strong>/g)?.length).toBeGreaterThan(5_000);
    const reason = /^the texts of the page are too large: only the beginning is shown, \d+ characters$/;
    expect(lines).toMatchObject([
      { code: 'content-value-left-out', ...place('cut'), reason: expect.stringMatching(reason) },
    ]);
  });

  it('texts too large for a page are cut in their order, however many they are', async ({
    addPage,
    site,
  }) => {
    const answer = `${'word '.repeat(39_000)}\n\n**Last words**`;
    const questions = [1, 2, 3, 4].map(number => ({
      question: `Question ${number}`,
      answer: `${number} ${answer}`,
    }));
    const { text } = await sendRequest(site.url, addPage('answers', { questions }), { headers: AS_BROWSER });
    expect(text.match(/<strong>Last words<\/strong>/g)).toHaveLength(2);
    expect(linesAbout(site, 'answers').map(({ field, reason }) => `${field}: ${reason}`)).toEqual([
      expect.stringMatching(/^questions\[2\]\.answer: the texts of the page are too large: /),
      expect.stringMatching(
        /^questions\[3\]\.answer: the texts of the page are too large: nothing of it is shown$/,
      ),
      expect.stringMatching(/^questions\[3\]: /),
      expect.stringMatching(/^jsonLd: the page would have more than 2 MB/),
    ]);
  });
});

describe('a JSON list that is too long for a page', () => {
  it('a JSON list too long for a page shows its first 1,000 items, with a log entry', async ({
    addPage,
    site,
  }) => {
    const questions = Array.from({ length: 1_010 }, (_, index) => ({
      question: `Question ${index}.`,
      answer: 'Yes.',
    }));
    const { text } = await sendRequest(site.url, addPage('list', { questions }), { headers: AS_BROWSER });
    expect(text).toContain('Question 999.');
    expect(text).not.toContain('Question 1000.');
    const reason = 'only the first 1000 of 1010 items are shown';
    expect(linesAbout(site, 'list')).toMatchObject([{ ...place('list'), field: 'questions', reason }]);
  });
});

describe('threads that cannot be started', () => {
  ownPool('a text is shown without formatting if no thread can start', async ({ show, startWithPool }) => {
    const site = await startWithPool({ file: '/nowhere/compile-worker.js' });
    const { html, lines } = await show('no-thread', 'Some *words*.', site);
    expect(html).toContain('Some *words*.');
    expect(lines).toMatchObject([
      { ...place('no-thread'), reason: expect.stringContaining('No thread compiles rich text') },
    ]);
    expect(site.log.filter(({ level }) => level === 'error')).toHaveLength(0);
  });
});

it('the threads that compile texts have a lower priority than visitors', async ({ show, skip }) => {
  skip(process.platform !== 'linux', 'only Linux has a priority for each thread');
  // The build and other tests load the worker's module in the main thread, whose priority must not change.
  await import('../../server/rich-text/compiling/compile-worker.ts');
  await show('any-text', '*A text*');
  const priorities = readdirSync('/proc/self/task').flatMap(thread => {
    const stat = `/proc/self/task/${thread}/stat`;
    // Other threads may end meanwhile.
    if (!existsSync(stat)) return [];
    const [, fields = ''] = readFileSync(stat, 'utf8').split(') ');
    // Field 19 of `stat` (proc(5)) is the nice value.
    return { thread, nice: Number(fields.split(' ')[16]) };
  });
  expect(priorities).toContainEqual({ thread: String(process.pid), nice: 0 });
  expect(priorities).toContainEqual({ thread: expect.any(String), nice: 5 });
});
