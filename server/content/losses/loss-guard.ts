import { SingleFlight } from '../../cache/single-flight.ts';
import { BackendError } from '../../errors.ts';
import type { Logger } from '../../ops/log.ts';
import { callOf, joined, pageOf, paginationOf, pathOfCall } from '../content-calls.ts';
import type { Ask } from '../content-request.ts';
import type { CallBackend } from '../counted-calls.ts';
import { entryOf, rowsOf } from '../decode/wire.ts';
import { type ServedType, servedType } from '../described-types.ts';
import type { Hold, TypeTotal, TypeTotals } from './type-totals.ts';

/** Rows of an answer, and of the last answer to the same calls. */
export interface RowCounts {
  readonly now: number;
  readonly before: number;
  /** When the load began, by `performance.now()`. */
  readonly startedAt: number;
}

/**
 * Tells an emptied CMS from an edited one. A type that had PROTECTED_FROM entries and has none, or less than half of them, is a failure of
 * the backend: the last content stays. Losses that the backend's events report are none, and so are those that an operator has
 * accepted or that have lasted for an hour.
 */
export interface LossGuard {
  /**
   * @returns calls that look at the totals of lists, which come with calls that are made anyway.
   * @throws BackendError `emptied`, in place of an answer with too few entries.
   */
  guarded(call: CallBackend): CallBackend;
  /**
   * Takes the entries that an earlier process has left on disk for the entries of their types, up to PROTECTED_FROM, where no total is known at
   * all: at the first start of a release that keeps totals, or after their file was lost.
   *
   * @param keys of the content on disk, such as `articles/reading-a-fee-statement`. Called once at most.
   */
  recall(keys: () => AsyncIterable<string>): Promise<void>;
  /**
   * Asks for the total of a type before fewer rows are believed than an earlier answer had.
   *
   * @returns whether rows are lost, none or less than half of several being left.
   * @throws BackendError `emptied`; the error of the call.
   */
  confirm(type: ServedType, rows: RowCounts, ask: Ask): Promise<boolean>;
  /** Notes that a single type was loaded. */
  loaded(type: ServedType): void;
  /** @returns whether a 404 of a single type that was known is to be believed. */
  isAbsenceTaken(type: ServedType): boolean;
  /** Notes that the backend has reported the removal of an entry. */
  explain(path: string, id: string): void;
  /** @returns whether a loss of a type is not believed at the moment. */
  isHeld(path: string): boolean;
  /** Believes the loss of a type. @returns false for a type without such a loss. */
  take(path: string, by: 'operator' | 'time'): boolean;
  /** Believes the loss of a type that another process has believed, or its next one: this process may not have seen it yet. */
  takeAsOthers(path: string): void;
  /**
   * Takes back that a loss was believed. The next answer with as few entries is a failure again.
   *
   * @returns a function that believes the loss once more.
   */
  untake(path: string): () => void;
  /** The entries of each type, by path, as they were believed last. */
  totals(): ReadonlyMap<string, number>;
}

export interface LossGuardOptions {
  totals: TypeTotals;
  log: Logger;
  /** How long a loss is not believed, in ms. */
  holdMs?: number;
  /** A clock that never jumps, in ms. */
  clock?: () => number;
}

/** A type with fewer entries may lose all of them: an editor does that by hand. */
const PROTECTED_FROM = 5;
const HOLD_MS = 3_600_000;
/** How long an emptied type counts as emptied without another call, in ms. */
const CHECKED_FOR_MS = 5_000;
/** The longest time between two checks that counts as time in which the loss was seen, in ms. */
const LONGEST_GAP_MS = 60_000;
/** How long the decision of an operator on another process counts for a loss that this one has not seen, in ms. */
const DECIDED_FOR_MS = 60_000;
/** The time of a hold is written when it has grown by this much, in ms. */
const SAVED_EVERY_MS = 60_000;

/** The last check of a type's total. */
interface Check {
  /** When the call began. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly error: BackendError | null;
}

const NOTHING: TypeTotal = { total: 0, isAtLeast: true, removed: [], hold: null, before: null };

/** @returns a guard over the totals of earlier processes. */
export function createLossGuard(options: LossGuardOptions): LossGuard {
  const { totals, log, holdMs = HOLD_MS, clock = () => performance.now() } = options;
  const checks = new Map<string, Check>();
  const checking = new SingleFlight();
  let recalling: Promise<void> | null = null;
  /** When an operator has believed the loss of a type on another process. */
  const decidedAt = new Map<string, number>();
  /** When the last removal of each type was reported. An answer to an earlier call may still have the entry. */
  const explainedAt = new Map<string, number>();
  /** The ids of entries of types whose total is not known. */
  const seen = new Map<string, Set<string>>();

  /** @returns the entries that a type should have: those of the last total, without those whose removal was reported. */
  function expected(path: string): number {
    const known = totals.get(path);
    return known ? Math.max(0, known.total - known.removed.length) : 0;
  }

  function believe(path: string, total: number): void {
    const known = totals.get(path);
    const isNews =
      !known || known.total !== total || known.isAtLeast || known.hold || known.removed.length > 0;
    if (!isNews) return;
    const should = expected(path);
    const hasLostAll = total === 0 && should > 0;
    const before = hasLostAll ? should : (known?.before ?? null);
    totals.set(path, { ...NOTHING, before, total, isAtLeast: false });
    if (hasLostAll)
      log.warn(
        {
          ...{ type: path, entriesBefore: should, entries: total },
          remedy: 'if no editor has removed them, restore them in the CMS',
        },
        'content type: its last entries are gone without an event, and that is believed',
      );
  }

  /** Learns that a type has several entries, from lists of some of them. */
  function learn(path: string, body: unknown): void {
    const known = totals.get(path) ?? NOTHING;
    if (!known.isAtLeast || known.total >= PROTECTED_FROM) return;
    const ids = seen.get(path) ?? new Set();
    seen.set(path, ids);
    for (const row of rowsOf(body) ?? []) {
      const id = entryOf(row)?.id;
      if (id !== undefined && ids.size < PROTECTED_FROM) ids.add(id);
    }
    if (ids.size > known.total) totals.set(path, { ...known, total: ids.size });
  }

  async function recallFrom(keys: () => AsyncIterable<string>): Promise<void> {
    if (!totals.outliveProcess || [...totals.entries()].length > 0) return;
    const counts = new Map<string, number>();
    for await (const key of keys()) {
      const path = key.slice(0, Math.max(0, key.indexOf('/')));
      if (servedType(path)?.storage === 'collection') counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    for (const [path, count] of counts)
      totals.set(path, { ...NOTHING, total: Math.min(count, PROTECTED_FROM) });
  }

  /** Notes that a loss is seen. @returns whether it has lasted long enough to be believed. */
  function hold(path: string, total: number): boolean {
    const known = totals.get(path) ?? NOTHING;
    const now = clock();
    const lastSeenAt = checks.get(path)?.endedAt ?? now;
    const before: Hold = known.hold ?? { total, since: new Date().toISOString(), heldMs: 0 };
    const seenMs = known.hold ? Math.min(now - lastSeenAt, LONGEST_GAP_MS) : 0;
    const next = { ...before, total, heldMs: before.heldMs + seenMs };
    if (next.heldMs >= holdMs) return take(path, 'time');
    if (now - (decidedAt.get(path) ?? Number.NEGATIVE_INFINITY) < DECIDED_FOR_MS) {
      totals.set(path, { ...known, hold: next });
      return take(path, 'operator');
    }
    const isWritten =
      known.hold?.total === total &&
      Math.floor(next.heldMs / SAVED_EVERY_MS) === Math.floor(before.heldMs / SAVED_EVERY_MS);
    if (isWritten && known.hold) known.hold.heldMs = next.heldMs;
    else totals.set(path, { ...known, hold: next });
    return false;
  }

  function take(path: string, by: 'operator' | 'time'): boolean {
    const known = totals.get(path);
    if (!known?.hold) return false;
    const { total, since } = known.hold;
    totals.set(path, { ...NOTHING, total, isAtLeast: false, before: known.total });
    checks.delete(path);
    log.warn(
      {
        ...{ type: path, entriesBefore: known.total, entries: total, since, by },
        remedy: `POST /cache?restore=${path} on the ops port brings the last content back within a day`,
      },
      by === 'operator'
        ? 'content type: the loss of its entries is accepted'
        : 'content type: the loss of its entries has lasted, and is taken',
    );
    return true;
  }

  /**
   * @param startedAt when the total was asked for.
   * @returns the error of a total that lost too much; null for one that has not.
   */
  function judge(path: string, total: number, startedAt: number): BackendError | null {
    const should = expected(path);
    const isLost = should >= PROTECTED_FROM && total < should / 2;
    if (!isLost || hold(path, total)) {
      // A total from before the last removal would make that removal look like a loss in the next one.
      if (startedAt >= (explainedAt.get(path) ?? Number.NEGATIVE_INFINITY)) believe(path, total);
      return null;
    }
    return emptied(path, `${total} of ${should} entries are left, and no event has reported their removal`);
  }

  function guarded(call: CallBackend): CallBackend {
    return async (address, signal) => {
      const startedAt = clock();
      const answer = await call(address, signal);
      const path = pathOfCall(address);
      if (servedType(path)?.storage !== 'collection' || rowsOf(answer.body) === null) return answer;
      if (address.includes('filters[')) {
        learn(path, answer.body);
        return answer;
      }
      const { total } = paginationOf(answer.body);
      const should = expected(path);
      if (total === 0 && should > 0 && should < PROTECTED_FROM)
        await checkLargest(path, startedAt, other => guarded(call)(other, signal));
      const error = judge(path, total, startedAt);
      checks.set(path, { startedAt, endedAt: clock(), error });
      if (error) throw error;
      return answer;
    };
  }

  /** Asks for the total of a type, once for all who ask at the same time. A total that was asked for before `since` says nothing. */
  async function check(path: string, since: number, ask: Ask): Promise<void> {
    const isKnown = () => {
      const last = checks.get(path);
      if (!last) return false;
      if (last.error && clock() - last.endedAt < CHECKED_FOR_MS) throw last.error;
      return last.startedAt >= since;
    };
    while (!isKnown()) {
      const flight = { isOwn: false };
      await checking.run(path, () => {
        flight.isOwn = true;
        return ask(totalCall(path));
      });
      if (flight.isOwn) return;
    }
  }

  /**
   * A type of a few entries may lose all of them, but not together with a larger one: then the whole CMS was emptied, and pages need both.
   */
  async function checkLargest(path: string, since: number, ask: Ask): Promise<void> {
    const largest = [...totals.entries()]
      .filter(([other]) => other !== path && expected(other) >= PROTECTED_FROM)
      .sort(([a], [b]) => expected(b) - expected(a))[0];
    if (!largest) return;
    try {
      await check(largest[0], since, ask);
    } catch (error) {
      if (error instanceof BackendError && error.kind === 'emptied')
        throw emptied(path, `no entries are left, and '${largest[0]}' was emptied as well`, error);
      throw error;
    }
  }

  return {
    guarded,
    recall(keys) {
      recalling ??= recallFrom(keys).catch((error: unknown) =>
        log.warn({ err: error }, 'totals of types: the content on disk could not be counted'),
      );
      return recalling;
    },
    async confirm({ path, storage }, { now, before, startedAt }, ask) {
      if (storage !== 'collection') return false;
      const isLoss = now === 0 ? before > 0 : before >= PROTECTED_FROM && now < before / 2;
      const isUnknown = now === 0 && totals.get(path)?.hold;
      if (!isLoss && !isUnknown) return false;
      if (expected(path) >= PROTECTED_FROM) await check(path, startedAt, ask);
      else if (now === 0) await checkLargest(path, startedAt, ask);
      return isLoss;
    },
    loaded({ path, storage }) {
      if (storage === 'single') believe(path, 1);
    },
    isAbsenceTaken({ path }) {
      const known = totals.get(path);
      if (known && expected(path) === 0) return true;
      if (!known) totals.set(path, { ...NOTHING, total: 1 });
      const isTaken = hold(path, 0);
      const at = clock();
      checks.set(path, { startedAt: at, endedAt: at, error: null });
      return isTaken;
    },
    explain(path, id) {
      const known = totals.get(path);
      if (!known || known.removed.includes(id) || known.removed.length >= known.total) return;
      totals.set(path, { ...known, removed: [...known.removed, id] });
      explainedAt.set(path, clock());
      // The next call looks at the total anew.
      checks.delete(path);
    },
    isHeld: path => Boolean(totals.get(path)?.hold),
    take,
    takeAsOthers(path) {
      if (!take(path, 'operator')) decidedAt.set(path, clock());
    },
    untake(path) {
      decidedAt.delete(path);
      const known = totals.get(path);
      if (known?.before === null || known?.before === undefined) return () => {};
      totals.set(path, { ...NOTHING, total: known.before, isAtLeast: false });
      return () => totals.set(path, known);
    },
    totals: () => new Map([...totals.entries()].map(([path, { total }]) => [path, total])),
  };
}

/** @param cause the same error of a larger type, with which this loss is believed. */
function emptied(path: string, reason: string, cause?: BackendError): BackendError {
  return new BackendError('emptied', `GET /api/${path}`, reason, { cause });
}

/** @returns the smallest call that has the total of a type. */
function totalCall(path: string): string {
  const type = servedType(path);
  if (!type) throw new Error(`No content type '${path}'`);
  return callOf(type, joined(Object.hasOwn(type.fields, 'slug') ? 'fields[0]=slug' : '', pageOf(1, 1)));
}
