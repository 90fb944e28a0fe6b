import * as z from 'zod';
import type { DiskHealth } from '../../cache/disk-health.ts';
import type { Invalidation } from '../../cache/invalidation.ts';
import { openProcessFile } from '../../cache/process-file.ts';
import { BackendError } from '../../errors.ts';
import { boundedMap } from '../../ops/bounded-map.ts';
import type { Logger } from '../../ops/log.ts';
import type { ContentSource } from '../collecting-reader.ts';
import type { ContentChange } from '../content-changes.ts';
import { LOOKED_UP, namedIds } from '../content-tags.ts';
import { allServedTypes, type ServedType } from '../described-types.ts';
import type { ChangedRow } from './last-changes.ts';

/** More changes of a type than this in one sweep make everything of the type stale. */
const MAX_CHANGES = 20;
/** The ids of a type with at most so many entries are compared after each change, and those of a larger one only if it has fewer entries than before. */
const ALWAYS_COMPARED = 1_000;
/** Beyond so many entries no ids are compared: everything of the type is stale. */
const MAX_COMPARED = 5_000;
/** The first sweep comes so many ms after the start, when the content of the start-up has been loaded. */
const FIRST_AFTER_MS = 1_000;
/** The longest time for the calls of one type, in ms. */
const TYPE_TIMEOUT_MS = 20_000;
/** Most rows of events that are remembered. */
const MAX_HEARD = 2_000;

/**
 * Finds changes of which no event has told: a webhook that was lost, or is not configured. In each sweep one light call for each type asks for
 * the row that was changed last and for the number of rows. A difference is applied like an event.
 */
export interface ContentSweep {
  /** Begins to sweep. */
  begin(): void;
  /** Notes the row of an event, which is applied now. */
  heard(type: string, row: ChangedRow, isRemoval: boolean): void;
  /** Notes the state of a type at the sweep of another process, which has applied what it has found. */
  swept(type: string, state: TypeState): void;
  /** Looks at all types once. */
  sweep(): Promise<void>;
  /** Looks at all types now, and not only after the pause. */
  sweepNow(): void;
  stop(): void;
}

/** A sweep whose state is on disk when `settled` resolves. */
export interface SettledContentSweep extends ContentSweep {
  settled(): Promise<void>;
}

export interface ContentSweepOptions {
  content: Pick<ContentSource, 'api' | 'ask'>;
  invalidation: Pick<Invalidation, 'invalidate' | 'doubt' | 'namesBelow'>;
  apply: (change: ContentChange) => Promise<readonly string[]>;
  /** Called after a change of a type was applied. */
  onChange: () => void;
  /** Called with a type that has changed since the sweep before, while this process ran, and of which no event has told. */
  onMissed?: (type: string) => void;
  /** The pause between two sweeps, in ms; 0 for none at all. */
  everyMs: number;
  /** Whether the backend can be asked now. */
  mayAsk: () => boolean;
  /** Whether this process sweeps, and not another one of the same site. */
  mayRun?: () => boolean;
  /** Whether this process hears of events that other processes have received. */
  hearsOthers?: () => boolean;
  /** Called with the state of a type after its first look, and after a difference was applied. */
  onSwept?: (type: string, state: TypeState) => void;
  /** The file that keeps the state of the types for the next process: events are lost while none runs. */
  file: string;
  /** Resolves when all invalidations so far are on disk: a state that is there before them would hide its changes from the next process. */
  invalidationsSaved?: () => Promise<void>;
  health?: DiskHealth;
  log: Logger;
}

/** The state of a type at the last sweep. `newest`: ids and times of the row that was changed last. */
const stateSchema = z.object({ newest: z.string(), time: z.string(), total: z.number() });
export type TypeState = z.infer<typeof stateSchema>;

/** @returns a sweep that has not begun. */
export function createContentSweep(options: ContentSweepOptions): SettledContentSweep {
  const { content, invalidation, apply, onChange, everyMs, mayAsk, file, health, log } = options;
  const { mayRun = () => true, hearsOthers = () => true } = options;
  const { onMissed = () => {}, onSwept = () => {}, invalidationsSaved = async () => {} } = options;
  const states = new Map<string, TypeState>();
  const { changed, settled } = openProcessFile({
    ...{ file, log },
    lines: {
      damaged: 'content sweep: the file is damaged and counts as empty',
      unwritten: 'content sweep: the file could not be written',
    },
    decode: value => z.record(z.string(), stateSchema).parse(value),
    // Any of the states will do: what one process has applied is in the invalidation log of all.
    restore(saved) {
      for (const [path, state] of Object.entries(saved)) states.set(path, state);
    },
    value: () => Object.fromEntries(states),
    ...(health ? { health } : {}),
  });
  const heard = boundedMap<true>(MAX_HEARD);
  /** How many removals of each type events have told since the last sweep. */
  const removalsHeard = new Map<string, number>();
  /** Entries that are known to be removed. Pages in memory may go on naming them. */
  const knownRemoved = boundedMap<true>(MAX_HEARD);
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** Changes that the first sweep finds may be of the time before the start, when nothing took their events. */
  let isFirst = true;
  let isSweeping = false;
  let isWantedAgain = false;

  async function sweepType(type: ServedType): Promise<void> {
    const { path } = type;
    const signal = AbortSignal.timeout(TYPE_TIMEOUT_MS);
    const ask = (call: string) => content.ask(call, signal);
    const { rows, total, by } = await content.api.lastChanges(type, 1, ask);
    const timeOf = (row: ChangedRow | undefined) => (by && row?.[by]) ?? '';
    const told = removalsHeard.get(path) ?? 0;
    const state = { newest: rows[0] ? nameOf(path, rows[0]) : '', time: timeOf(rows[0]), total };
    const before = states.get(path);
    if (before && before.newest === state.newest && before.total === total) return;
    // Content that was loaded before the first look may have changed between the two, and nothing tells.
    if (!before) invalidation.doubt([path]);
    else if (!stopped.signal.aborted) {
      const isSingle = type.storage === 'single';
      const since = (row: ChangedRow) =>
        isSingle || (timeOf(row) >= before.time && nameOf(path, row) !== before.newest);
      const gone = before.total - total - told;
      await applyAll(type, await changesOf(type, { total, gone }, since, ask));
    }
    setState(path, state);
    onSwept(path, state);
  }

  function setState(path: string, state: TypeState): void {
    states.set(path, state);
    removalsHeard.delete(path);
    void invalidationsSaved().then(changed);
  }

  /**
   * @param gone how many rows there are less than at the last sweep, without those whose removal an event has told.
   * @returns the changes of a type; null for more than can be told apart.
   */
  async function changesOf(
    type: ServedType,
    { total, gone }: { total: number; gone: number },
    isSince: (row: ChangedRow) => boolean,
    ask: (call: string) => ReturnType<ContentSource['ask']>,
  ): Promise<readonly ContentChange[] | null> {
    const { path } = type;
    const { rows } = await content.api.lastChanges(type, MAX_CHANGES + 1, ask);
    const newer = rows.filter(isSince);
    for (const { ids } of newer) noteBack(path, ids);
    if (newer.length > MAX_CHANGES) return null;
    const edits = newer
      .filter(row => !heard.has(nameOf(path, row)))
      .map(row => changeOf(path, row.ids, row.slug, false));
    // The entries of such a type are loaded together, and compared. Events have told of the difference if they have told of every newer row.
    if (!LOOKED_UP.includes(path)) {
      const isHeard = (newer.length > 0 || removalsHeard.has(path)) && gone <= 0;
      return edits.length > 0 || isHeard ? edits : [changeOf(path, [], null, false)];
    }
    if (total > ALWAYS_COMPARED && gone <= 0) return edits;
    const names = total > MAX_COMPARED ? null : await content.api.allNames(type, ask);
    if (!names) return null;
    noteBack(path, names.ids);
    const removed = namedIds(path, invalidation.namesBelow(path)).filter(
      id => !names.ids.has(id) && !knownRemoved.has(`${path} ${id}`),
    );
    // Pages on disk may show entries that nothing in memory names.
    const isComplete = gone <= removed.length && removed.length <= MAX_CHANGES;
    return isComplete ? [...edits, ...removed.map(id => changeOf(path, [id], null, true))] : null;
  }

  async function applyAll({ path }: ServedType, changes: readonly ContentChange[] | null): Promise<void> {
    if (changes?.length === 0) return;
    log.info(
      { type: path, ids: changes?.map(({ ids: [id] }) => id) ?? 'many' },
      hearsOthers()
        ? 'content sweep: the content has changed without an event'
        : 'content sweep: the content has changed without an event that reached this replica',
    );
    if (!isFirst && hearsOthers()) onMissed(path);
    for (const { ids, isRemoval } of changes ?? []) if (isRemoval) noteRemoved(path, ids);
    if (changes) await Promise.all(changes.map(apply));
    else invalidation.invalidate([path]);
    onChange();
  }

  function noteRemoved(path: string, [id]: readonly string[]): void {
    if (id !== undefined) knownRemoved.set(`${path} ${id}`, true);
  }

  /** Notes that an entry is there. It may be removed once more, of which no event may tell. */
  function noteBack(path: string, ids: Iterable<string>): void {
    for (const id of ids) knownRemoved.delete(`${path} ${id}`);
  }

  async function sweep(): Promise<void> {
    for (const type of allServedTypes()) {
      if (stopped.signal.aborted || !mayAsk()) return;
      if (!mayRun()) return;
      try {
        await sweepType(type);
      } catch (error) {
        // The states of the types tell of failures. An emptied type keeps its content, and its state here.
        if (!(error instanceof BackendError) && !(error instanceof DOMException)) throw error;
      }
    }
    isFirst = false;
  }

  function sweepLater(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      isSweeping = true;
      await sweep().catch((error: unknown) => log.error({ err: error }, 'content sweep: it has failed'));
      isSweeping = false;
      if (!stopped.signal.aborted) sweepLater(isWantedAgain ? 0 : everyMs);
      isWantedAgain = false;
    }, ms);
    timer.unref();
  }

  return {
    begin() {
      if (everyMs > 0) sweepLater(Math.min(FIRST_AFTER_MS, everyMs));
    },
    heard(type, row, isRemoval) {
      heard.set(nameOf(type, row), true);
      if (!isRemoval) return noteBack(type, row.ids);
      noteRemoved(type, row.ids);
      removalsHeard.set(type, (removalsHeard.get(type) ?? 0) + 1);
    },
    swept(type, state) {
      // The other process may have found entries that have come back. A removal that is found twice does no harm.
      knownRemoved.clear();
      setState(type, state);
    },
    sweep,
    sweepNow() {
      // The types that this sweep has passed are looked at once more.
      if (isSweeping) isWantedAgain = true;
      else if (timer !== undefined && !stopped.signal.aborted) sweepLater(0);
    },
    stop() {
      clearTimeout(timer);
      stopped.abort();
    },
    async settled() {
      await invalidationsSaved();
      await settled();
    },
  };
}

/** @returns a name of a row that is another one after each change. */
function nameOf(path: string, { ids, updatedAt, publishedAt }: ChangedRow): string {
  return [path, ...ids, updatedAt, publishedAt].join(' ');
}

function changeOf(
  type: string,
  ids: readonly string[],
  slug: string | null,
  isRemoval: boolean,
): ContentChange {
  return { type, ids, slug, isRemoval, isOfType: true };
}
