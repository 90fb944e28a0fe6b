import type { Invalidation } from '../../cache/tags/invalidation.ts';
import { BackendError } from '../../errors.ts';
import type { Logger } from '../../ops/log.ts';
import { namedTypes, type ServedType } from '../../wire/described-types.ts';
import type { ContentSource } from '../reading/collecting-reader.ts';
import type { Ask } from '../requests/content-request.ts';
import { LOOKED_UP, namedIds } from '../tags/content-tags.ts';
import type { ContentChange } from './content-changes.ts';
import type { ChangedRow } from './last-changes.ts';
import { nameOf, type SweepMemory, type TypeState } from './sweep-memory.ts';

/** Limit for the changes of a type in a sweep. More changes make the whole type stale. */
const MAX_CHANGES = 20;
/** The largest type whose ids are always compared. Larger types are compared after a loss of entries. */
const ALWAYS_COMPARED = 1_000;
/** The largest type whose ids are compared. Above it, a loss makes the whole type stale. */
const MAX_COMPARED = 5_000;
/** The delay before the first sweep, in ms, when the start-up content is loaded. */
const FIRST_AFTER_MS = 1_000;
const TYPE_TIMEOUT_MS = 20_000;

interface ContentSweepOptions {
  content: Pick<ContentSource, 'api' | 'ask'>;
  invalidation: Pick<Invalidation, 'doubt' | 'namesBelow'>;
  memory: SweepMemory;
  /** @param rows null for too many changes. @param isMissed whether events should have reported them. */
  apply: (type: string, rows: readonly ContentChange[] | null, isMissed: boolean) => Promise<unknown>;
  /** Called after the first sweep of a type, and after each sweep that found a difference. */
  onSwept: (type: string, state: TypeState) => void;
  onComplete?: () => void;
  everyMs: number;
  /** Whether the backend may be called, and this process is the one that sweeps. */
  mayRun: () => boolean;
  receivesFromOthers: () => boolean;
  log: Logger;
}

/** Finds changes that no event has reported, by each type's newest row and number of rows. */
export class ContentSweep {
  readonly #options: ContentSweepOptions;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** Whether no sweep has completed. The first may find changes from before the start. */
  #isFirst = true;
  #isSweeping = false;
  #isWantedAgain = false;

  constructor(options: ContentSweepOptions) {
    this.#options = options;
  }

  begin(): void {
    const { everyMs } = this.#options;
    if (everyMs > 0) this.#sweepLater(Math.min(FIRST_AFTER_MS, everyMs));
  }

  async sweep(): Promise<void> {
    for (const [, type] of namedTypes) {
      if (this.#stopped.signal.aborted || !this.#options.mayRun()) return;
      try {
        await this.#sweepType(type);
      } catch (error) {
        // Ignore failures of the backend: the state of the content type reports them.
        if (!(error instanceof BackendError) && !(error instanceof DOMException)) throw error;
      }
    }
    this.#isFirst = false;
    this.#options.onComplete?.();
  }

  sweepNow(): void {
    // Sweep again, because the running sweep may have passed the type already.
    if (this.#isSweeping) this.#isWantedAgain = true;
    else if (this.#timer !== undefined && !this.#stopped.signal.aborted) this.#sweepLater(0);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped.abort();
  }

  settled(): Promise<void> {
    return this.#options.memory.settled();
  }

  #sweepLater(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      const { log, everyMs } = this.#options;
      this.#isSweeping = true;
      await this.sweep().catch((error: unknown) =>
        log.error({ code: 'content-sweep-failed', err: error }, 'content sweep: a sweep has failed'),
      );
      this.#isSweeping = false;
      if (!this.#stopped.signal.aborted) this.#sweepLater(this.#isWantedAgain ? 0 : everyMs);
      this.#isWantedAgain = false;
    }, ms);
    this.#timer.unref();
  }

  async #sweepType(type: ServedType): Promise<void> {
    const { content, invalidation, memory, onSwept } = this.#options;
    const { path } = type;
    const signal = AbortSignal.timeout(TYPE_TIMEOUT_MS);
    const ask: Ask = call => content.ask(call, signal);
    const { rows, total, by } = await content.api.lastChanges(type, 1, ask);
    const timeOf = (row: ChangedRow | undefined) => (by && row?.[by]) ?? '';
    const reportedRemovals = memory.reportedRemovals(path);
    const state = { newest: rows[0] ? nameOf(path, rows[0]) : '', time: timeOf(rows[0]), total };
    const before = memory.stateOf(path);
    if (before && before.newest === state.newest && before.total === total) return;
    // Revalidate the type, because content may have changed between its load and this first sweep.
    if (!before) invalidation.doubt([path]);
    else if (!this.#stopped.signal.aborted) {
      const isSingle = type.storage === 'single';
      const since = (row: ChangedRow) =>
        isSingle || (timeOf(row) >= before.time && nameOf(path, row) !== before.newest);
      const gone = before.total - total - reportedRemovals;
      await this.#applyAll(type, await this.#changesOf(type, { total, gone }, since, ask));
    }
    memory.setState(path, state);
    onSwept(path, state);
  }

  /** @param gone how many rows are missing without a reported removal. @returns null for too many changes. */
  async #changesOf(
    type: ServedType,
    { total, gone }: { total: number; gone: number },
    isSince: (row: ChangedRow) => boolean,
    ask: Ask,
  ): Promise<readonly ContentChange[] | null> {
    const { content, invalidation, memory } = this.#options;
    const { path } = type;
    const { rows } = await content.api.lastChanges(type, MAX_CHANGES + 1, ask);
    const newer = rows.filter(isSince);
    for (const { ids } of newer) memory.noteBack(path, ids);
    if (newer.length > MAX_CHANGES) return null;
    const edits = newer
      .filter(row => !memory.isReceived(path, row))
      .map(row => changeOf(path, row.ids, row.slug, false));
    // Compare a type that is not LOOKED_UP as a whole, unless events have reported every newer row.
    if (!LOOKED_UP.includes(path)) {
      const isReceived = (newer.length > 0 || memory.reportedRemovals(path) > 0) && gone <= 0;
      return edits.length > 0 || isReceived ? edits : [changeOf(path, [], null, false)];
    }
    if (total > ALWAYS_COMPARED && gone <= 0) return edits;
    const names = total > MAX_COMPARED ? null : await content.api.allNames(type, ask);
    if (!names) return null;
    memory.noteBack(path, names.ids);
    const removed = namedIds(path, invalidation.namesBelow(path)).filter(
      id => !names.ids.has(id) && !memory.isRemoved(path, id),
    );
    // Give up if more rows are gone than memory knows: pages on disk may show the others.
    const isComplete = gone <= removed.length && removed.length <= MAX_CHANGES;
    return isComplete ? [...edits, ...removed.map(id => changeOf(path, [id], null, true))] : null;
  }

  async #applyAll({ path }: ServedType, changes: readonly ContentChange[] | null): Promise<void> {
    if (changes?.length === 0) return;
    const { memory, apply, receivesFromOthers, log } = this.#options;
    log.info(
      {
        code: 'content-change-without-event',
        type: path,
        ids: changes?.map(({ ids: [id] }) => id) ?? 'many',
      },
      receivesFromOthers()
        ? 'content sweep: content has changed without an event'
        : 'content sweep: content has changed, but no event has reached this replica',
    );
    for (const { ids, isRemoval } of changes ?? []) if (isRemoval) memory.noteRemoved(path, ids);
    await apply(path, changes, !this.#isFirst && receivesFromOthers());
  }
}

function changeOf(
  type: string,
  ids: readonly string[],
  slug: string | null,
  isRemoval: boolean,
): ContentChange {
  return { type, ids, slug, isRemoval, isOfType: true };
}
