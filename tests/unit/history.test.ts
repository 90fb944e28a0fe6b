import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it as plain, vi } from 'vitest';
import { createLogger } from '../../server/ops/log.ts';
import { HISTORY_MS, History } from '../../server/previews/history.ts';

const NOW = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;
const KEY = 'pages/about';

/** A history under a clock that the test sets. */
const it = plain.extend('history', async ({}, { onCleanup }) => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'history-'));
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  onCleanup(async () => {
    vi.useRealTimers();
    await rm(dir, { recursive: true });
  });
  return new History({
    dir,
    maxBytes: 1e9,
    log: createLogger('warn', { write: line => expect(line).toBe('') }),
  });
});

const note = (history: History, at: number, ...answers: readonly string[]) => {
  vi.setSystemTime(at);
  return history.note(KEY, { answers });
};
const rowOf = (documentId: string) => JSON.stringify({ data: [{ id: 7, documentId }] });

it('the history returns the version that was shown at a given time', async ({ history }) => {
  await note(history, NOW, 'one');
  await note(history, NOW + HOUR_MS, 'two', 'three');
  await note(history, NOW + 2 * HOUR_MS, 'two', 'three');
  await history.note(KEY, null);
  const at = (hours: number) => history.answersAt(KEY, NOW + hours * HOUR_MS);
  expect(await Promise.all([-1, 0, 0.5, 1, 1.9, 2].map(at))).toEqual([
    ...[null, ['one'], ['one'], ['two', 'three'], ['two', 'three']],
    [],
  ]);
});

it('a removal of content without a version stores no version', async ({ history }) => {
  await history.note(KEY, null);
  expect(await history.answersAt(KEY, NOW)).toBeNull();
});

it('a version is deleted 90 days after its replacement, even if nothing changes', async ({ history }) => {
  await note(history, NOW, 'one');
  await note(history, NOW + HOUR_MS, 'two');
  await note(history, NOW + HISTORY_MS, 'two');
  expect(await history.answersAt(KEY, NOW)).toEqual(['one']);
  await note(history, NOW + HISTORY_MS + 2 * HOUR_MS, 'two');
  expect(await history.answersAt(KEY, NOW)).toBeNull();
  expect(await history.answersAt(KEY, NOW + HOUR_MS)).toEqual(['two']);
});

it('the oldest versions of a key are deleted first, and the newest one stays whatever its size', async ({
  history,
}) => {
  const large = (name: string) => name.repeat(3 * 1024 * 1024);
  for (const [hour, name] of ['a', 'b', 'c'].entries())
    await note(history, NOW + hour * HOUR_MS, large(name));
  expect(await history.answersAt(KEY, NOW)).toBeNull();
  expect(await history.answersAt(KEY, NOW + HOUR_MS)).toEqual([large('b')]);
  await note(history, NOW + 3 * HOUR_MS, large('d').repeat(4));
  expect((await history.answersAt(KEY, NOW + 3 * HOUR_MS))?.[0]?.length).toBe(12 * 1024 * 1024);
});

it('an erased version is unknown, and no older one takes its place', async ({ history }) => {
  await note(history, NOW, rowOf('kept'));
  await note(history, NOW + HOUR_MS, rowOf('erased'));
  await note(history, NOW + 2 * HOUR_MS, rowOf('kept'));
  expect(await history.forget('articles', 'erased')).toBe(1);
  const at = (hours: number) => history.answersAt(KEY, NOW + hours * HOUR_MS);
  expect(await Promise.all([0, 1, 2].map(at))).toEqual([[rowOf('kept')], null, [rowOf('kept')]]);
  // The `id` of Strapi 4 is unique only within a type.
  expect(await history.forget('articles', '7')).toBe(0);
  expect(await history.forget('pages', '7')).toBe(2);
  expect(await at(2)).toBeNull();
});
