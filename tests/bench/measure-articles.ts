import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { ask, forEachAtOnce, keepAlive } from '../faults/client.ts';
import { residentBytes, SERVER_CORE } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { type ContentSizes, type GeneratedContent, startGeneratedContent } from './generated-content.ts';
import { FILL_AT_ONCE, OPS_TOKEN } from './measured-site.ts';
import { readTicks, TICK_PROBE } from './ticks.ts';

const FEW: ContentSizes = { articles: 50, categories: 3, redirects: 5, pages: 10, tags: 20 };
const SECRET = 'secret-of-the-measurement';
/** Time in ms for work after an answer: records for the disk, revalidations. */
const AFTERWARDS_MS = 1_500;
const LONGEST_TICK_MS = 50;
const START = 'start until ready';
const MB = 1024 * 1024;

/** Cost of one step. */
interface Step {
  ms: number;
  longestTickMs: number;
  calls: number;
}

/** Measures the same steps over a CMS with few articles and with many, and prints them side by side. */
export async function measureArticles(sizes: BenchSizes, report: Report): Promise<void> {
  const few = await measureSteps(FEW, FEW.articles);
  const many = await measureSteps(sizes.content, sizes.stored);
  for (const [name, step] of many.steps) {
    const before = few.steps.get(name);
    report({
      name: `${sizes.content.articles} articles: ${name}`,
      value: step.longestTickMs,
      unit: 'ms tick',
      // The tick that reads the code comes before the first connection.
      target: name === START ? null : { atMost: LONGEST_TICK_MS },
      errors: 0,
      note: besideOf(before, step),
      details: { few: before, many: step },
    });
  }
  report({
    name: `${sizes.content.articles} articles: memory with ${sizes.stored} pages stored`,
    value: many.bytes / MB,
    unit: 'MB',
    target: { atMost: 400 },
    errors: 0,
    details: { fewBytes: few.bytes, manyBytes: many.bytes },
  });
}

/** Formats the cost of a step over few articles and over many. */
function besideOf(few: Step | undefined, many: Step): string {
  const both = (read: (step: Step) => number, digits = 0) =>
    `${few ? read(few).toFixed(digits) : '–'} and ${read(many).toFixed(digits)}`;
  return `with 50 and with many: ${both(step => step.ms)} ms, ${both(step => step.calls)} calls, turn ${both(step => step.longestTickMs, 1)} ms`;
}

async function measureSteps(content: ContentSizes, stored: number) {
  const cms = await startGeneratedContent(content);
  const from = performance.now();
  const site = await startBuiltSite({
    contentBaseUrl: cms.backend.url,
    ...(SERVER_CORE === undefined ? {} : { core: SERVER_CORE }),
    nodeArguments: ['--import', TICK_PROBE],
    env: { CONTENT_TTL_MS: '3600000', LOG_LEVEL: 'info', OPS_TOKEN, WEBHOOK_SECRET: SECRET },
  });
  try {
    return await measureSite(cms, site, content, stored, performance.now() - from);
  } finally {
    await site.dispose();
    await cms.backend.close();
  }
}

async function measureSite(
  { backend, articlePath, publish }: GeneratedContent,
  site: BuiltSite,
  content: ContentSizes,
  stored: number,
  startMs: number,
): Promise<{ steps: ReadonlyMap<string, Step>; bytes: number }> {
  const longestTick = await readTicks(site);
  const steps = new Map<string, Step>();
  const ended = async (name: string, ms: number, calls: number) => {
    await new Promise(resolve => setTimeout(resolve, AFTERWARDS_MS));
    steps.set(name, { ms, longestTickMs: await longestTick(), calls });
  };
  await ended(START, startMs, backend.calls.length);

  async function step(name: string, work: () => Promise<unknown>): Promise<void> {
    backend.calls.length = 0;
    const from = performance.now();
    await work();
    await ended(name, performance.now() - from, backend.calls.length);
  }
  const visit =
    (address: string, status = 200) =>
    async () => {
      const reply = await ask(site.url, address);
      if (reply.status !== status) throw new Error(`${address}: ${reply.status}`);
    };
  const ops = (method: string, address: string) => async () => {
    const authorization = `Bearer ${OPS_TOKEN}`;
    const reply = await ask(site.opsUrl, address, { method, headers: { authorization } });
    if (reply.status !== 200) throw new Error(`${address}: ${reply.status}`);
  };
  const lastPage = Math.min(4_000, Math.ceil((content.articles * 24) / 25 / 12));

  await step('first page', visit('/'));
  await step('an article', visit(articlePath(1)));
  await step('index of the blog', visit('/blog'));
  await step('page 4,000 of a list, or its last', visit(`/blog/category-0?page=${lastPage}`));
  await step('page past the end', visit(`/blog/category-0?page=${lastPage + 7}`, 404));
  await step('sitemap.xml', visit('/sitemap.xml'));
  if (content.articles > 10_000) await step('sitemap-2.xml', visit('/sitemap-2.xml'));
  await step('feed', visit('/blog/feed.xml'));
  await step('page of an author', visit('/blog/authors/jane-roe'));
  const lastOfAuthor = Math.min(4_000, Math.ceil(content.articles / 12));
  await step('page 4,000 of an author, or the last', visit(`/blog/authors/jane-roe?page=${lastOfAuthor}`));
  await step('page of a tag', visit('/blog/tags/tag-7'));
  await step('feed of an author', visit('/blog/authors/jane-roe/feed.xml'));
  await step('feed of a tag, as JSON', visit('/blog/tags/tag-7/feed.json'));
  await step('archive', visit('/blog/archive'));
  await step('a year of the archive', visit('/blog/archive/2025'));
  await step('a month of the archive', visit('/blog/archive/2025/12'));
  await step('unknown path', visit('/no/such/page/at/all', 404));
  await step('unknown slug', visit('/abuot', 404));
  await step('a redirect', visit('/old/page-3', 301));
  await step('many articles, stored', async () => {
    const agent = keepAlive(FILL_AT_ONCE);
    const numbers = Array.from({ length: stored }, (_, number) => number);
    await forEachAtOnce(numbers, FILL_AT_ONCE, async number => {
      const { status } = await ask(site.url, articlePath(number), { agent });
      if (status !== 200) throw new Error(`${articlePath(number)}: ${status}`);
    });
    agent.destroy();
  });
  const bytes = residentBytes(site.pid) ?? 0;
  await step('GET /metrics', ops('GET', '/metrics'));
  await step('GET /cache', ops('GET', '/cache'));
  await step('event about one article', async () => {
    const reply = await ask(site.url, '/webhooks/content', {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify(publish(2)),
    });
    if (reply.status !== 200) throw new Error(`the event: ${reply.status}`);
  });
  await step('purge of one article', ops('DELETE', '/cache?tag=articles:article7'));
  await step('its page after the purge', visit(articlePath(7)));
  await step('purge of all', ops('DELETE', '/cache?tag=*'));
  await step('index of the blog after the purge', visit('/blog'));
  return { steps, bytes };
}
