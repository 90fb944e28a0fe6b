import { describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../server/cache/tags/invalidation-log.ts';
import { applyChange, type Change, type ChangeParts, type Door } from '../../server/events/apply-change.ts';
import type { ContentEvent } from '../../server/events/content-event.ts';
import type { SharedEvent } from '../../server/events/shared-event.ts';
import { createLogger } from '../../server/ops/log.ts';

/** Effects that a change may have on a process. `stage()` records each by this name. */
const EFFECTS = [
  'breaker of the backend',
  'breakers of media',
  'missing fields',
  'sweep is notified',
  'loss guard is notified',
  'entry is compared',
  'tags are invalidated',
  'files are forgotten',
  'outcome is recorded',
  'pages are refreshed',
  'loss is accepted',
  'content is restored',
] as const;
type Effect = (typeof EFFECTS)[number];

/** @returns fake parts of a process, which record effects and shared events. */
function stage({ leads = true, restored = 3 } = {}) {
  const effects = new Set<Effect>();
  const shared: SharedEvent[] = [];
  const note = (effect: Effect) => () => void effects.add(effect);
  const noteNames = (effect: Effect) => (names: readonly string[]) => {
    if (names.length > 0) effects.add(effect);
  };
  const parts: ChangeParts = {
    content: {
      api: { forgetMissingFields: note('missing fields') },
      cache: {
        async restore() {
          effects.add('content is restored');
          return restored;
        },
      },
    },
    contentChanges: {
      async apply({ type, ids: [id] }) {
        effects.add('entry is compared');
        return [`${type}:${id}`];
      },
    },
    sweepMemory: { received: note('sweep is notified'), swept: note('sweep is notified') },
    losses: {
      noteRemoval: note('loss guard is notified'),
      accept(type) {
        effects.add('loss is accepted');
        return type === 'articles';
      },
      acceptAsOthers: note('loss is accepted'),
      reopen: () => () => effects.delete('content is restored'),
    },
    invalidation: {
      invalidate: noteNames('tags are invalidated'),
      remove: noteNames('tags are invalidated'),
      carryOut: note('tags are invalidated'),
      versionsOf: () => new Set(),
    },
    media: { changed: note('files are forgotten'), remove: async () => note('files are forgotten')() },
    images: { remove: async () => note('files are forgotten')() },
    fileVersions: { isKnown: () => true, tagOfChange: path => `file:${path}` },
    mediaAddress: address => String(address),
    backendBreaker: { reset: note('breaker of the backend') },
    mediaOrigins: { reset: note('breakers of media') },
    webhookOutcomes: {
      accepted: note('outcome is recorded'),
      unknownModel: note('outcome is recorded'),
      acceptedElsewhere: note('outcome is recorded'),
      missed: note('outcome is recorded'),
    },
    refresh: note('pages are refreshed'),
    retryFailed: async () => {},
    share: event => void shared.push(event),
    leads: () => leads,
    replica: 'one',
    log: createLogger('silent'),
  };
  return { parts, effects, shared };
}

const entry = { id: 7, documentId: 'abc', slug: 'news', publishedAt: '2026-11-24T10:00:00.000Z' };
const edit: ContentEvent = { event: 'entry.publish', model: 'article', entry };
const removal: ContentEvent = { event: 'entry.delete', model: 'article', entry };
const newFile: ContentEvent = { event: 'media.update', media: { url: '/uploads/a.png' } };
const goneFile: ContentEvent = { event: 'media.delete', media: { url: '/uploads/a.png' } };
const events = (...list: (ContentEvent | 'unknown')[]): Change => ({
  kind: 'events',
  events: list,
  call: { host: null, hasFormerSecret: false },
});
const row = { type: 'articles', ids: ['abc'], slug: 'news', isRemoval: false, isOfType: true };

/** Effects of an event about an entry, on the process that receives it. A webhook call also has `CALL`. */
const SWEPT: readonly Effect[] = ['sweep is notified', 'entry is compared', 'pages are refreshed'];
const UP: readonly Effect[] = ['breaker of the backend', 'breakers of media', 'missing fields'];
const CALL: readonly Effect[] = [...UP, 'outcome is recorded'];
const FILES: readonly Effect[] = ['tags are invalidated', 'files are forgotten', 'pages are refreshed'];
const ALL: readonly Effect[] = ['tags are invalidated', 'pages are refreshed'];

interface Case {
  readonly door: Door;
  readonly name: string;
  readonly change: Change;
  readonly effects: readonly Effect[];
  /** Kinds of events sent to other replicas. Invalidations are sent elsewhere, so they are not listed. */
  readonly shared: readonly SharedEvent['kind'][];
}

const CASES: readonly Case[] = [
  {
    door: 'webhook',
    name: 'an edited entry',
    change: events(edit),
    effects: [...CALL, ...SWEPT],
    shared: ['backend-called', 'heard', 'refresh', 'backend-called'],
  },
  {
    door: 'webhook',
    name: 'a removed entry',
    change: events(removal),
    effects: [...CALL, ...SWEPT, 'loss guard is notified'],
    shared: ['backend-called', 'heard', 'removal', 'refresh', 'backend-called'],
  },
  {
    door: 'webhook',
    name: 'a replaced file',
    change: events(newFile),
    effects: [...CALL, ...FILES],
    shared: ['backend-called', 'files', 'refresh', 'backend-called'],
  },
  {
    door: 'webhook',
    name: 'an event that does not say what has changed',
    change: events('unknown'),
    effects: [...UP, ...ALL],
    shared: ['backend-called', 'refresh', 'backend-called'],
  },
  {
    door: 'folder',
    name: 'an edited entry',
    change: events(edit),
    effects: SWEPT,
    shared: ['heard', 'refresh'],
  },
  {
    door: 'folder',
    name: 'a removed entry and a removed file',
    change: events(removal, goneFile),
    effects: [...SWEPT, ...FILES, 'loss guard is notified'],
    shared: ['heard', 'removal', 'files', 'refresh'],
  },
  {
    door: 'folder',
    name: 'too many removals to apply one by one',
    change: events(...Array.from({ length: 21 }, () => removal)),
    effects: [...ALL, 'sweep is notified', 'loss guard is notified'],
    shared: [...Array.from({ length: 21 }, () => ['heard', 'removal'] as const).flat(), 'refresh'],
  },
  {
    door: 'sweep',
    name: 'changed rows without an event',
    change: { kind: 'rows', type: 'articles', rows: [row], isMissed: true },
    effects: ['entry is compared', 'outcome is recorded', 'pages are refreshed'],
    shared: ['refresh'],
  },
  {
    door: 'sweep',
    name: 'a removed row that may be a loss',
    change: { kind: 'rows', type: 'articles', rows: [{ ...row, isRemoval: true }], isMissed: false },
    effects: ['entry is compared', 'pages are refreshed'],
    shared: ['refresh'],
  },
  {
    door: 'sweep',
    name: 'more changed rows than the sweep can list',
    change: { kind: 'rows', type: 'articles', rows: null, isMissed: false },
    effects: ALL,
    shared: ['refresh'],
  },
  {
    door: 'sweep',
    name: 'the state of a type',
    change: { kind: 'swept', type: 'articles', state: { newest: 'a', time: 'b', total: 1 } },
    effects: [],
    shared: ['swept'],
  },
  {
    door: 'operator',
    name: 'a tag',
    change: { kind: 'ops-purge', tag: 'articles', by: 'one' },
    effects: ['tags are invalidated'],
    shared: ['ops-purge'],
  },
  {
    door: 'operator',
    name: 'an accepted loss',
    change: { kind: 'loss-accepted', type: 'articles' },
    effects: ['loss is accepted', 'tags are invalidated'],
    shared: ['loss-accepted'],
  },
  {
    door: 'operator',
    name: 'restored content',
    change: { kind: 'loss-restored', type: 'articles' },
    effects: ['content is restored', 'tags are invalidated'],
    shared: ['loss-restored'],
  },
];

describe.each(CASES)('$name, received from the $door', ({ door, change, effects, shared }) => {
  it('a change has the listed effects on the process that receives it', async () => {
    const process = stage();
    await applyChange(process.parts, change, door);
    expect([...process.effects].sort()).toEqual([...new Set(effects)].sort());
    expect(process.shared.map(({ kind }) => kind)).toEqual(shared);
  });

  it('a shared change has the same effects on another replica, which does not share it again', async () => {
    const [here, there] = [stage(), stage()];
    await applyChange(here.parts, change, door);
    for (const event of here.shared)
      await applyChange(there.parts, { kind: 'shared', event, position: '1-1' }, 'replica');
    // Other replicas get the invalidations elsewhere, and do not repeat the comparison.
    const notShared: readonly Effect[] = ['entry is compared', 'tags are invalidated'];
    const own: readonly Effect[] = door === 'sweep' ? [...notShared, 'outcome is recorded'] : notShared;
    const expected = [...here.effects].filter(effect => !own.includes(effect));
    const told = change.kind === 'swept' ? (['sweep is notified'] as const) : [];
    const outcome = door === 'webhook' ? (['outcome is recorded'] as const) : [];
    expect([...there.effects].sort()).toEqual([...new Set([...expected, ...told, ...outcome])].sort());
    expect(there.shared).toEqual([]);
  });
});

describe('a change', () => {
  it('a change from another replica is applied at its position in the shared log', async () => {
    const { parts, effects, shared } = stage();
    const event: SharedEvent = { kind: 'operation', operation: { kind: 'invalidate', tags: ['articles'] } };
    await applyChange(parts, { kind: 'shared', event, position: '1-1' }, 'replica');
    expect([...effects]).toEqual(['tags are invalidated']);
    expect(shared).toEqual([]);
  });

  it('a change returns the tags that it invalidated', async () => {
    const tagsOf = async (change: Change, door: Door) =>
      (await applyChange(stage().parts, change, door)).tags;
    expect(await tagsOf(events(edit, edit), 'folder')).toEqual(['articles:abc']);
    expect(await tagsOf(events('unknown'), 'webhook')).toEqual([EVERYTHING]);
    expect(await tagsOf(events(newFile), 'webhook')).toEqual(['file:/uploads/a.png']);
    expect(await tagsOf({ kind: 'ops-purge', tag: 'pages', by: 'one' }, 'operator')).toEqual(['pages']);
    expect(await tagsOf({ kind: 'loss-accepted', type: 'pages' }, 'operator'), 'nothing is lost').toEqual([]);
  });

  it('a replica that does not lead the sweep does not share what its sweep has found', async () => {
    const { parts, shared } = stage({ leads: false });
    const state = { newest: 'a', time: 'b', total: 1 };
    await applyChange(parts, { kind: 'swept', type: 'articles', state }, 'sweep');
    expect(shared).toEqual([]);
  });

  it('a restore that finds no earlier content invalidates nothing, and leaves the loss accepted', async () => {
    const { parts, effects } = stage({ restored: 0 });
    const change = { kind: 'loss-restored', type: 'articles' } as const;
    expect(await applyChange(parts, change, 'operator')).toEqual({ tags: [] });
    expect([...effects]).toEqual([]);
  });
});
