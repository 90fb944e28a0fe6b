import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { listFiles } from '../../server/cache/disk/list-files.ts';
import { createLogger } from '../../server/ops/log.ts';
import { History } from '../../server/previews/history.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { ownCpuMs, residentBytes } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { load, median } from './load.ts';
import { fill, PUBLIC, startSite, VISITOR } from './measured-site.ts';

const VERSIONS = 5;
const AT_ONCE = 16;
/** The words of an article, and of the language. */
const WORDS = 900;
const VOCABULARY = 3_000;
const PREVIEWS = { PREVIEW_SECRET: 's'.repeat(32), PREVIEW_TOKEN: 't' };
const MIB = 1024 * 1024;

/** Measures disk and memory of the history, and a hit beside one of a site that keeps nothing. */
export async function measureHistory(sizes: BenchSizes, report: Report): Promise<void> {
  await measureVersions(sizes.content.articles, report);
  await measureHits(sizes, report);
}

async function measureVersions(articles: number, report: Report): Promise<void> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'history-'));
  try {
    const history = new History({ dir, maxBytes: Number.POSITIVE_INFINITY, log: createLogger('warn') });
    global.gc?.();
    const before = residentBytes(process.pid) ?? 0;
    const cpu = ownCpuMs() ?? 0;
    let raw = 0;
    for (let version = 0; version < VERSIONS; version += 1)
      for (let first = 0; first < articles; first += AT_ONCE)
        await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, articles - first) }, (_, place) => {
            const text = answerOf(first + place, version);
            raw += text.length;
            return history.note(`articles/${first + place}`, { answers: [text] });
          }),
        );
    const micros = (((ownCpuMs() ?? 0) - cpu) * 1_000) / (articles * VERSIONS);
    global.gc?.();
    const memory = ((residentBytes(process.pid) ?? 0) - before) / MIB;
    const disk = { files: 0, bytes: 0 };
    for await (const batch of listFiles(dir))
      for (const { stats } of batch) {
        disk.files += 1;
        disk.bytes += stats.size;
      }
    const sweepFrom = performance.now();
    await history.sweep(0);
    const details = { articles, raw, ...disk, micros, sweepMs: performance.now() - sweepFrom };
    const name = `history of ${articles} articles, ${VERSIONS} versions each`;
    const common = { errors: Number(disk.files !== articles), details };
    report({
      name: `${name}: disk`,
      value: disk.bytes / MIB,
      unit: 'MiB',
      target: null,
      note: `${(raw / MIB).toFixed(0)} MiB of answers`,
      ...common,
    });
    report({ name: `${name}: memory`, value: memory, unit: 'MiB RSS', target: { atMost: 128 }, ...common });
    report({ name: `${name}: CPU of a version`, value: micros, unit: 'µs', target: null, ...common });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** @returns the answer with an article. Versions differ in some words. */
function answerOf(article: number, version: number): string {
  let seed = article + 1;
  const words = Array.from({ length: WORDS }, (_, place) => {
    seed = (seed * 48_271) % 2_147_483_647;
    const word = seed % VOCABULARY;
    return `${word.toString(36)}${place % 100 === version ? 'edited' : 'word'}`;
  });
  const row = { id: article * VERSIONS + version, documentId: `document-${article}`, body: words.join(' ') };
  return JSON.stringify({
    data: [row],
    meta: { pagination: { page: 1, pageSize: 1, pageCount: 1, total: 1 } },
  });
}

async function measureHits({ pages, runs, seconds }: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(pages, 24);
  const [keeping, plain] = [
    await startSite(backend, { ...PUBLIC, ...PREVIEWS }),
    await startSite(backend, PUBLIC),
  ];
  try {
    const paths = ['/', ...backend.articles.map(article => article.path)];
    for (const site of [keeping, plain]) await fill(site, paths);
    const measure = ({ url, pid }: typeof plain) =>
      load({ url, pid, seconds, paths: ['/'], headers: VISITOR });
    for (const site of [plain, keeping]) await measure(site);
    const results = [];
    for (let run = 0; run < runs; run += 1)
      results.push([await measure(plain), await measure(keeping)] as const);
    const ratios = results.map(([without, kept]) => (kept.cpuMicros ?? 1) / (without.cpuMicros ?? 1));
    report({
      name: 'CPU of a hit with a history, beside one without',
      value: median(ratios),
      unit: 'times',
      target: { atMost: 1.1 },
      errors: results.flat().reduce((sum, { errors }) => sum + errors, 0),
      note: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      details: { results },
    });
  } finally {
    await Promise.all([keeping.dispose(), plain.dispose()]);
    await backend.close();
  }
}
