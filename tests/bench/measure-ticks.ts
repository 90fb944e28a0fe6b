import fc from 'fast-check';
import { startBuiltSite } from '../faults/built-site.ts';
import { ask } from '../faults/client.ts';
import {
  HOSTILE_CONTENT,
  HOSTILE_PAGES,
  type HostileContent,
  hostileBlocks,
  hostileCode,
  hostileSource,
  serveHostilePictures,
} from '../faults/hostile-texts.ts';
import { servePages } from '../faults/pages-by-slug.ts';
import { startFakeBackend } from '../support/fake-backend.ts';
import { SERVER_CORE } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { readTicks, TICK_PROBE } from './ticks.ts';

const WARM_UP_PAGES = 30;
/** V8 compiles some code only after several calls. Without a warm-up the first ticks would be long. */
const WARM_UP_TEXT =
  '## A title\n\nSome **words**, `code` and [a link](/about).\n\n- an item\n- another one\n\n'.repeat(30);
/** Time in ms for writing records. */
const AFTERWARDS_MS = 1_500;
const TARGET = { atMost: 50 };

/**
 * Measures the longest tick of the main thread under each hostile text, in CPU time. Other work on the
 * machine does not count.
 */
export async function measureTicks(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFakeBackend();
  const addPage = servePages(backend);
  serveHostilePictures(backend);
  const site = await startBuiltSite({
    contentBaseUrl: backend.url,
    ...(SERVER_CORE === undefined ? {} : { core: SERVER_CORE }),
    nodeArguments: ['--import', TICK_PROBE],
    env: { CONTENT_TTL_MS: '3600000', OPS_TOKEN: TOKEN },
  });
  const longestTick = await readTicks(site);

  async function measure(address: string): Promise<{ ms: number; status: number }> {
    await longestTick();
    const { status } = await ask(site.url, address);
    await new Promise(resolve => setTimeout(resolve, AFTERWARDS_MS));
    return { ms: await longestTick(), status };
  }

  async function measureContent({ name, path: called, answer, page }: HostileContent): Promise<void> {
    backend.on(called, answer);
    await fetch(`${site.opsUrl}/cache?tag=*`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    await reportPage(name, page);
  }

  async function reportPage(name: string, address: string): Promise<void> {
    const { ms, status } = await measure(address);
    report({
      name: `longest tick: ${name}`,
      value: ms,
      unit: 'ms',
      target: TARGET,
      errors: status === 200 ? 0 : 1,
      details: { status },
    });
  }

  try {
    for (let number = 0; number < WARM_UP_PAGES; number += 1)
      await ask(site.url, addPage(`warm-up-${number}`, { body: WARM_UP_TEXT }));
    for (const [index, { name, ...fields }] of HOSTILE_PAGES.entries())
      await reportPage(name, addPage(`hostile-${index}`, fields));
    const bodies = fc.sample(fc.oneof(hostileSource, hostileCode, hostileBlocks), {
      numRuns: sizes.texts,
      seed: SEED,
    });
    const ticks: number[] = [];
    const refused: { body: unknown; status: number }[] = [];
    for (const [index, body] of bodies.entries()) {
      const { ms, status } = await measure(addPage(`generated-${index}`, { body }));
      ticks.push(ms);
      if (status !== 200) refused.push({ body, status });
    }
    report({
      name: `longest tick: ${bodies.length} generated texts`,
      value: Math.max(...ticks),
      unit: 'ms',
      target: TARGET,
      errors: refused.length,
      details: { seed: SEED, ticks, refused },
    });
    addPage('about', { body: 'A text.' });
    for (const content of HOSTILE_CONTENT) await measureContent(content);
  } finally {
    await site.dispose();
    await backend.close();
  }
}

const TOKEN = 'token-of-the-measurement';
const SEED = 36;
