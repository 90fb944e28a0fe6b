import { describe, expect, it } from 'vitest';
import type { Invalidation } from '../../server/cache/tags/invalidation.ts';
import { type ContentChange, ContentChanges } from '../../server/content/changes/content-changes.ts';
import type { ContentSource } from '../../server/content/reading/collecting-reader.ts';
import { createLogger } from '../../server/ops/log.ts';

const change = (id: string, isRemoval = false): ContentChange => ({
  ...{ type: 'articles', ids: [id], slug: id, isOfType: true },
  isRemoval,
});

/** Changes whose loads end when the test calls `endLoad()`. */
function stage() {
  const removed: string[] = [];
  const invalidated: string[] = [];
  const loads: { names: readonly string[]; end: () => void }[] = [];
  const invalidation = {
    remove: (tags: readonly string[]) => void removed.push(...tags),
    invalidate: (tags: readonly string[]) => void invalidated.push(...tags),
    ...{ invalidateContent() {}, invalidateInFront() {}, invalidateElsewhere() {} },
    ...{ invalidateOthers: () => [], versionsOf: () => new Set(), namesBelow: () => [] },
  };
  const cache = {
    values: () => [],
    count: () => 0,
    decidedBy: () => [],
    renew: (names: readonly string[]) =>
      new Promise<[]>(resolve => void loads.push({ names, end: () => resolve([]) })),
  };
  const api = { affectedSelections: async () => [] };
  const changes = new ContentChanges({
    content: { cache, ask: async () => ({ body: { data: [] } }), api } as unknown as ContentSource,
    invalidation: invalidation as unknown as Invalidation,
    log: createLogger('silent'),
  });
  /** Ends the current load. @returns the names of its content. */
  async function endLoad(): Promise<readonly string[]> {
    await new Promise(setImmediate);
    const load = loads.shift() ?? expect.fail('nothing is loaded');
    load.end();
    return load.names;
  }
  return { changes, removed, invalidated, loads, endLoad };
}

describe('changes during the comparison of another change', () => {
  it('while one change is compared, a removed entry is gone at once, and a changed one is stale', async () => {
    const { changes, removed, invalidated, endLoad } = stage();
    const first = changes.apply(change('slow'));
    await new Promise(setImmediate);
    const others = [changes.apply(change('gone', true)), changes.apply(change('other'))];
    expect(removed).toEqual(['articles:gone']);
    expect(invalidated).toContain('articles:other#?');
    // The first change loads its entry and lists, then the later changes load theirs.
    for (let load = 0; load < 4; load += 1) await endLoad();
    await Promise.all([first, ...others]);
  });

  it('changes that arrive while another is compared form one batch, and their lists load once', async () => {
    const { changes, loads, endLoad } = stage();
    const first = changes.apply(change('slow'));
    await new Promise(setImmediate);
    const waiting = Array.from({ length: 20 }, (_, at) => changes.apply(change(`a${at}`, at % 2 === 0)));
    expect(await endLoad()).toEqual(['articles:slow']);
    await endLoad();
    expect(await endLoad()).toEqual(Array.from({ length: 10 }, (_, at) => `articles:a${2 * at + 1}`));
    expect(await endLoad()).toHaveLength(1);
    await Promise.all([first, ...waiting]);
    expect(loads).toEqual([]);
  });
});
