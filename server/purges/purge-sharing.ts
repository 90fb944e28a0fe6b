import { notedBy } from '../cache/invalidation.ts';
import { EVERYTHING, type InvalidationLog } from '../cache/invalidation-log.ts';
import type { InvalidationOperation } from '../cache/invalidation-operation.ts';
import { LOG_BEGIN, type LogPosition } from '../cache/log-position.ts';
import type { Logger } from '../ops/log.ts';
import type { Seal } from '../shared-state/seal.ts';
import { createLease } from './lease.ts';
import { createPurgeFollower } from './purge-follower.ts';
import { createPurgeQueue } from './purge-queue.ts';
import { createPurgeStore, type LoggedPurge, type SendCommand } from './purge-store.ts';
import { decodeEvents, type SharedEvent } from './shared-event.ts';

/** The reactions of this process to other replicas. */
export interface PurgeEffects {
  /** Carries out an event of another replica. @param position its place in the shared log. */
  carryOut(event: SharedEvent, position: LogPosition): Promise<void> | void;
  /** Makes everything stale in this process: it may have missed events. */
  makeAllStale(): void;
  /** Removes content that was removed meanwhile. */
  remove(names: readonly string[]): void;
  /** Looks for changes at once: nobody else may do it. */
  sweepNow(): void;
}

/** Tells other replicas of changes, and does what they tell. */
export interface PurgeSharing {
  /** Whether there may be other replicas. */
  readonly isOn: boolean;
  share(event: SharedEvent): void;
  shareOperation(operation: InvalidationOperation): void;
  /**
   * Resolves with true when other replicas can read all that was shared before. Does not wait for a log that does not work, and waits 500 ms at
   * most: they will read it when the log works again.
   */
  settled(): Promise<boolean>;
  /**
   * Whether this replica does what one does for all: the sweep, the doctor. While the log does not work each one does it for itself.
   */
  readonly mayRun: boolean;
  /** Whether this replica has the right to do it while the log works. */
  readonly isLeading: boolean;
  /** Whether the log can be read and written. */
  readonly isUp: boolean;
  /** Why it cannot; null while it can. */
  readonly reason: string | null;
  /**
   * Whether the log works and has been read to its end a moment ago. Content of other replicas cannot be judged otherwise: what a sweep finds while the log cannot be
   * written has no place in it.
   */
  readonly isCurrent: boolean;
  /** The last entry of the log that this process has read and applied. */
  readonly position: LogPosition;
  /** How long ago the log was known to be read to its end, in ms. */
  readonly lagMs: number;
  /** Begins to follow the log. Resolves when it has been read once, or after half a second: what is on disk must not be used before. */
  begin(effects: PurgeEffects): Promise<void>;
  stop(): Promise<void>;
}

export interface PurgeSharingOptions {
  /** A connection on which reads may block. */
  read: SendCommand;
  write: SendCommand;
  /** @returns the key of a name in the store. */
  key: (name: string) => string;
  seal: Seal;
  /** How long pages may be stale, in ms. */
  keptMs: number;
  invalidations: InvalidationLog;
  /** Called when entries of the log have been read and applied. */
  onRead?: () => void;
  log: Logger;
}

/** The longest wait for the log's acknowledgment, in ms. */
const SETTLED_MS = 500;
const FIRST_READ_MS = 500;
/** An event that waits for longer says that the log cannot be written, in ms. */
const WAITS_MS = 1_500;
/** A log that does not work for a shorter time has no line, in ms. */
const LOST_FOR_MS = 1_000;
const WATCH_EVERY_MS = 250;

/** For a process that is alone. */
export const NOT_SHARED: PurgeSharing = {
  isOn: false,
  share: () => {},
  shareOperation: () => {},
  settled: async () => true,
  mayRun: true,
  isLeading: true,
  isUp: true,
  reason: null,
  isCurrent: false,
  position: LOG_BEGIN,
  lagMs: 0,
  begin: async () => {},
  stop: async () => {},
};

/** @returns the sharing of purges by a log in the store, which is not followed yet. */
export function createPurgeSharing(options: PurgeSharingOptions): PurgeSharing {
  const { read, write, key, seal, keptMs, invalidations, onRead = () => {}, log } = options;
  const keys = { log: key('purges'), removed: key('removed') };
  const store = createPurgeStore({ read, write, keys, keptMs, seal });
  let effects: PurgeEffects | null = null;
  let isRefreshDue = false;
  let watch: NodeJS.Timeout | undefined;
  let downSince: number | null = null;
  let isLost = false;

  const queue = createPurgeQueue({
    store,
    onAppended(events, resetNames, position) {
      for (const { tags, removed } of notesOf(events)) invalidations.acknowledge(tags, removed, position);
      invalidations.acknowledge(resetNames, true, position);
    },
    onCollapsed(events, standIns) {
      for (const { tags } of notesOf(events)) invalidations.disown(tags);
      for (const { tags, removed } of notesOf(standIns)) invalidations.note(tags, removed, 'pending');
    },
  });
  const follower = createPurgeFollower({
    store,
    known: invalidations.position(),
    onPurge: applyPurge,
    onBatch() {
      if (isRefreshDue) void effects?.carryOut({ kind: 'refresh' }, invalidations.position());
      isRefreshDue = false;
      onRead();
    },
    onRemovals(removals) {
      for (const { name, position } of removals) invalidations.recall([name], true, position);
    },
    onGap: position => invalidations.recall([EVERYTHING], false, position),
    onMissed(isLogLost, removed) {
      log.warn(
        { lost: isLogLost },
        isLogLost
          ? 'shared log of invalidations: it was emptied or restored, so everything in memory is checked again'
          : 'shared log of invalidations: this replica was away for too long, so everything in memory is checked again',
      );
      effects?.makeAllStale();
      effects?.remove(removed);
      if (isLogLost) queue.addReset(invalidations.restart());
    },
    onSilence() {
      log.warn(
        'shared log of invalidations: it gives no answer for 10 s, so everything in memory is checked again',
      );
      effects?.makeAllStale();
    },
  });
  const lease = createLease({ send: write, key: key('lease:sweep'), onHeld: () => effects?.sweepNow() });

  async function applyPurge({ position, by, number, events: text }: LoggedPurge, isKnown: boolean) {
    if (text === '') return invalidations.reach(position);
    if (by === queue.id) return queue.seen(number, position);
    const events = decodeEvents(text);
    if (isKnown) {
      for (const { tags, removed } of notesOf(events ?? [])) invalidations.recall(tags, removed, position);
    } else if (events === null) {
      log.warn('shared log of invalidations: another build has written what this one cannot read');
      effects?.makeAllStale();
    } else
      for (const event of events) {
        if (event.kind === 'refresh') isRefreshDue = true;
        else await effects?.carryOut(event, position);
      }
    invalidations.reach(position);
  }

  function faultNow(): { reason: string; err: unknown } | null {
    if (!follower.isCurrent) return { reason: 'it cannot be read', err: follower.lastError };
    if (queue.waitingMs > WAITS_MS) return { reason: 'it cannot be written', err: queue.lastError };
    return lease.lastError === null ? null : { reason: 'it cannot be written', err: lease.lastError };
  }

  function look(): void {
    const fault = faultNow();
    if (fault === null) {
      downSince = null;
      if (isLost)
        log.warn('shared log of invalidations: it is back, and replicas tell one another of changes');
      isLost = false;
      return;
    }
    downSince ??= performance.now();
    if (isLost || performance.now() - downSince < LOST_FOR_MS) return;
    isLost = true;
    log.error(
      {
        ...fault,
        remedy: 'look at the store of SHARED_URL: docs/runbook.md, "The shared store does not work"',
      },
      'shared log of invalidations: it does not work, so this replica looks for changes in the CMS by itself',
    );
    effects?.sweepNow();
  }

  return {
    isOn: true,
    share: queue.add,
    shareOperation: operation => queue.add({ kind: 'operation', operation }),
    settled: () => (isLost ? Promise.resolve(false) : queue.appended(SETTLED_MS)),
    get mayRun() {
      return isLost || lease.isHeld;
    },
    get isLeading() {
      return !isLost && lease.isHeld;
    },
    get isUp() {
      return !isLost;
    },
    get reason() {
      return isLost ? (faultNow()?.reason ?? null) : null;
    },
    get isCurrent() {
      return !isLost && follower.isCurrent;
    },
    get position() {
      return follower.position;
    },
    get lagMs() {
      return follower.silentMs;
    },
    async begin(own) {
      effects = own;
      watch = setInterval(look, WATCH_EVERY_MS);
      watch.unref();
      follower.begin();
      lease.begin();
      await follower.readOnce(FIRST_READ_MS);
    },
    async stop() {
      clearInterval(watch);
      follower.stop();
      await Promise.all([lease.stop(), isLost ? null : queue.appended(SETTLED_MS)]);
      queue.stop();
    },
  };
}

/** @returns the notes that events make in the log of invalidations. */
function notesOf(events: readonly SharedEvent[]) {
  return events.flatMap(event => (event.kind === 'operation' ? (notedBy(event.operation) ?? []) : []));
}
