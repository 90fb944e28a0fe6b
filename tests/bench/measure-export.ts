import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { residentBytes } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { startGeneratedContent } from './generated-content.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../tools/export/run-export.ts');
const LOOK_EVERY_MS = 250;
const MOST_MS_A_PAGE = 50;
const MOST_MS_A_PAGE_AGAIN = 25;
const MOST_BYTES = 900 * 1024 * 1024;
const MB = 1024 * 1024;

/** One export, with the most memory of the program and its server together. */
interface Run {
  seconds: number;
  bytes: number;
  pages: number;
  written: number;
}

/** Measures a static export of many articles: the first one, one without changes, and one after an edit. */
export async function measureExport({ exported }: BenchSizes, report: Report): Promise<void> {
  const cms = await startGeneratedContent({
    ...{ articles: exported, categories: 30, redirects: 200, pages: 50, tags: 20 },
  });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-export-'));
  try {
    const first = await runExport(folder, cms.backend.url);
    const second = await runExport(folder, cms.backend.url);
    cms.publish(2);
    const edited = await runExport(folder, cms.backend.url);
    const line = (name: string, run: Run, most: number | null) =>
      report({
        name: `${exported} articles: ${name}`,
        value: (run.seconds * 1_000) / run.pages,
        unit: 'ms a page',
        target: most === null ? null : { atMost: most },
        errors: 0,
        note: `${run.seconds.toFixed(0)} s, ${run.pages} pages, ${run.written} files written`,
        details: { ...run },
      });
    line('first export', first, MOST_MS_A_PAGE);
    line('export without changes', second, MOST_MS_A_PAGE_AGAIN);
    line('export after an edit of an article', edited, MOST_MS_A_PAGE_AGAIN);
    report({
      name: `${exported} articles: memory of the export and its server`,
      value: Math.max(first.bytes, second.bytes, edited.bytes) / MB,
      unit: 'MB',
      target: { atMost: MOST_BYTES / MB },
      errors: second.written,
      details: { first, second, edited },
    });
  } finally {
    await cms.backend.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runExport(folder: string, contentBaseUrl: string): Promise<Run> {
  const from = performance.now();
  const options = ['--out', path.join(folder, 'site'), '--data', path.join(folder, 'data')];
  const child = spawn(process.execPath, [PROGRAM, ...options, '--url', 'https://www.example.com'], {
    env: { PATH: process.env.PATH, CONTENT_BASE_URL: contentBaseUrl, CONTENT_TIMEOUT_MS: '20000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let bytes = 0;
  const look = setInterval(() => {
    bytes = Math.max(bytes, bytesOf(child.pid ?? 0));
  }, LOOK_EVERY_MS);
  const ended = once(child, 'exit');
  const output = await text(child.stdout);
  await ended;
  clearInterval(look);
  const [, pages, written] = /^(\d+) pages, \d+ files: (\d+) written/m.exec(output) ?? [];
  if (child.exitCode !== 0 || pages === undefined) throw new Error(`The export failed: ${output}`);
  const seconds = (performance.now() - from) / 1_000;
  return { seconds, bytes, pages: Number(pages), written: Number(written) };
}

/** @returns the memory of a process and of its children. */
function bytesOf(pid: number): number {
  const children = (() => {
    try {
      return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  })();
  return children.reduce((sum, child) => sum + bytesOf(child), residentBytes(pid) ?? 0);
}
