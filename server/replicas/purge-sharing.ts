import { notedBy } from '../cache/tags/invalidation.ts';
import type { InvalidationLog } from '../cache/tags/invalidation-log.ts';
import { LOG_BEGIN, type LogPosition, timeOfPosition } from '../cache/tags/log-position.ts';
import type { Config } from '../config/config.ts';
import { decodeEvents, encodeEvents, type SharedEvent } from '../events/shared-event.ts';
import { Condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics/metrics.ts';
import type { SharedStore } from '../shared-store/shared-store.ts';
import { Lease } from './lease.ts';
import { PurgeReader } from './purge-reader.ts';
import { type LoggedPurge, PurgeStore, type Removal } from './purge-store.ts';
import { EXPIRE_EVERYTHING, PurgeWriter } from './purge-writer.ts';

/** The reactions of this process to other replicas. */
export interface PurgeEffects {
  /** Applies an event of another replica. `position` is its position in the shared log. */
  carryOut(event: SharedEvent, position: LogPosition): Promise<unknown>;
  makeAllStale(): void;
  /** Removes stored values that have one of these tags and are older than `position` in the shared log. */
  remove(names: readonly string[], position: LogPosition): void;
  afterRead(): void;
  /** Sweeps at once, because perhaps no other replica is sweeping. */
  sweepNow(): void;
}

export type PurgeSharing = Pick<SharedLog, keyof typeof NOT_SHARED>;

interface PurgeSharingOptions {
  shared: Pick<SharedStore, 'openReader' | 'key' | 'seal' | 'open' | 'isUp'>;
  keptMs: number;
  invalidations: InvalidationLog;
  log: Logger;
}

const SETTLED_MS = 500;
const FIRST_READ_MS = 500;
/** If an event of this replica has waited this long to be written, in ms, the log counts as unwritable. */
const WAITS_MS = 1_500;
const LOST_FOR_MS = 1_000;
/** The time without an answer after which everything in memory is in doubt, in ms. */
const STALE_AFTER_MS = 10_000;
const WATCH_EVERY_MS = 250;

const NOT_SHARED = {
  isOn: false,
  share: () => {},
  settled: async () => true,
  mayRun: true,
  isLeading: true,
  isUp: true,
  reason: null,
  isCurrent: false,
  position: LOG_BEGIN,
  begin: async () => {},
  stop: async () => {},
};

interface OpenPurgeSharingOptions extends Pick<PurgeSharingOptions, 'invalidations' | 'log'> {
  config: Pick<Config, 'contentTtlMs' | 'staleIfErrorMs'>;
  shared: SharedStore | null;
  metrics: Pick<Metrics, 'observe'>;
}

export function openPurgeSharing(options: OpenPurgeSharingOptions): PurgeSharing {
  const { config, shared, metrics, invalidations, log } = options;
  if (shared === null) return NOT_SHARED;
  const keptMs = config.contentTtlMs + config.staleIfErrorMs;
  const purges = new SharedLog({ shared, keptMs, invalidations, log });
  metrics.observe({ site_purge_lag_seconds: () => purges.lagMs / 1_000 });
  return purges;
}

/** Shares purges through a log in the store. A replica that may lack an entry revalidates everything. */
export class SharedLog {
  readonly #options: PurgeSharingOptions;
  readonly isOn: boolean = true;
  readonly #writer: PurgeWriter;
  readonly #reader: PurgeReader;
  readonly #lease: Lease;
  #effects: PurgeEffects | null = null;
  #isRefreshDue = false;
  #isSilent = false;
  #watch: NodeJS.Timeout | undefined;
  readonly #works: Condition;

  constructor(options: PurgeSharingOptions) {
    this.#options = options;
    const { shared, keptMs, invalidations, log } = options;
    // Open separate connections, so that other commands do not delay sharing.
    const { command: read } = shared.openReader();
    const { command: write } = shared.openReader();
    this.#works = new Condition(log, {
      code: 'replicas-log',
      down: 'shared log of invalidations: down, so this replica sweeps the CMS itself',
      up: 'shared log of invalidations: up, and replicas share changes again',
      remedy: 'look at the store of SHARED_URL: docs/runbook.md, "The shared store does not work"',
      afterMs: LOST_FOR_MS,
    });
    const keys = { log: shared.key('purges'), removed: shared.key('removed') };
    const store = new PurgeStore({ read, write, keys, keptMs, seal: shared });
    const writer = new PurgeWriter(store, (events, position) => {
      for (const { tags, removed } of notesOf(events)) invalidations.place(tags, removed, position);
    });
    this.#writer = writer;
    this.#reader = new PurgeReader({
      store,
      from: invalidations.position(),
      onPurge: purge => this.#apply(purge),
      onBatch: () => this.#afterBatch(),
      rejoin: lost =>
        store.rejoin(lost, writer.id, encodeEvents([EXPIRE_EVERYTHING]), invalidations.removedNames()),
      onDoubt: position => this.#doubt(position),
      onRemovals: removals => this.#remove(removals),
    });
    this.#lease = new Lease(write, shared.key('lease:sweep'), () => this.#effects?.sweepNow());
  }

  share(event: SharedEvent): void {
    this.#writer.add(event);
  }

  /** Resolves with true if other replicas can read everything shared before. Waits up to 500 ms. */
  async settled(): Promise<boolean> {
    return !this.#works.isDown && this.#writer.appended(SETTLED_MS);
  }

  /** Whether this replica sweeps and examines the CMS. With the log one does so for all, else each does. */
  get mayRun(): boolean {
    return this.#works.isDown || this.#lease.isHeld;
  }

  get isLeading(): boolean {
    return !this.#works.isDown && this.#lease.isHeld;
  }

  get isUp(): boolean {
    return !this.#works.isDown;
  }

  get reason(): string | null {
    return this.#works.isDown ? (this.#faultNow()?.reason ?? null) : null;
  }

  /** Whether the log was just read to its end and contains all changes of this process. */
  get isCurrent(): boolean {
    return !this.#works.isDown && this.#reader.isCurrent && this.#writer.isIdle;
  }

  get position(): LogPosition {
    return this.#reader.position;
  }

  get lagMs(): number {
    return this.#reader.silentMs;
  }

  /** Resolves when the log was read once, or after half a second. Use content on disk only then. */
  async begin(effects: PurgeEffects): Promise<void> {
    this.#effects = effects;
    this.#watch = setInterval(() => this.#look(), WATCH_EVERY_MS).unref();
    this.#reader.begin();
    this.#lease.begin();
    await this.#reader.readOnce(FIRST_READ_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    this.#reader.stop();
    await Promise.all([this.#lease.stop(), this.settled()]);
    this.#writer.stop();
  }

  async #apply({ position, by, events: text }: LoggedPurge): Promise<void> {
    const events = text === '' || by === this.#writer.id ? [] : decodeEvents(text);
    if (events === null) {
      this.#options.log.warn(
        { code: 'replicas-log-unreadable' },
        'shared log of invalidations: this build cannot read entries of another build',
      );
      this.#options.invalidations.doubt(position);
      this.#effects?.makeAllStale();
    }
    for (const event of events ?? []) {
      if (event.kind === 'refresh') this.#isRefreshDue = true;
      else await this.#effects?.carryOut(event, position);
    }
    this.#options.invalidations.reach(position);
  }

  #afterBatch(): void {
    if (this.#isRefreshDue) void this.#effects?.carryOut({ kind: 'refresh' }, this.#reader.position);
    this.#isRefreshDue = false;
    this.#effects?.afterRead();
  }

  #doubt(position: LogPosition): void {
    this.#options.log.warn(
      { code: 'replicas-log-incomplete', lost: this.#wasLostAt(position) },
      'shared log of invalidations: entries may be missing, so everything in memory is stale',
    );
    this.#options.invalidations.doubt(position);
    this.#effects?.makeAllStale();
  }

  #remove(removals: readonly Removal[]): void {
    for (const [position, removed] of Map.groupBy(removals, removal => removal.position))
      this.#effects?.remove(
        removed.map(({ name }) => name),
        position,
      );
  }

  /** @returns whether the missing entries are so young that the log should still contain them. */
  #wasLostAt(position: LogPosition): boolean {
    return timeOfPosition(position) - timeOfPosition(this.#reader.position) <= this.#options.keptMs;
  }

  #faultNow(): { reason: string; err: unknown } | null {
    const { lastError } = this.#lease;
    if (!this.#reader.isCurrent) return { reason: 'it cannot be read', err: this.#reader.lastError };
    if (this.#writer.waitingMs > WAITS_MS)
      return { reason: 'it cannot be written', err: this.#writer.lastError };
    return lastError === null ? null : { reason: 'it cannot be written', err: lastError };
  }

  #look(): void {
    const fault = this.#faultNow();
    if (fault !== null && this.#works.down(fault)) this.#effects?.sweepNow();
    // Wait until the store accepts all writes, because a full one accepts some.
    if (fault === null && this.#options.shared.isUp) this.#works.up();
    const wasSilent = this.#isSilent;
    this.#isSilent = this.#reader.silentMs >= STALE_AFTER_MS;
    if (!this.#isSilent || wasSilent) return;
    this.#options.log.warn(
      { code: 'replicas-log-silent' },
      'shared log of invalidations: no answer for 10 s, so everything in memory is stale',
    );
    this.#effects?.makeAllStale();
  }
}

function notesOf(events: readonly SharedEvent[]) {
  return events.flatMap(event => (event.kind === 'operation' ? (notedBy(event.operation) ?? []) : []));
}
