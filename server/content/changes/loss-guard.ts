import { SingleFlight } from '../../cache/single-flight.ts';
import { BackendError } from '../../errors.ts';
import type { Logger } from '../../ops/log.ts';
import { callOf, joined, pageOf, paginationOf, pathOfCall } from '../../wire/content-calls.ts';
import { type ServedType, servedType } from '../../wire/described-types.ts';
import { entryOf, rowsOf } from '../../wire/wire.ts';
import type { Ask } from '../requests/content-request.ts';
import type { CallBackend } from '../requests/counted-calls.ts';
import type { Hold, TypeTotal, TypeTotals } from './type-totals.ts';

interface LossGuardOptions {
  totals: TypeTotals;
  log: Logger;
  holdMs?: number;
  clock?: () => number;
}

/** The fewest entries of a protected type. Editors may delete all entries of a smaller type by hand. */
const PROTECTED_FROM = 5;
const HOLD_MS = 3_600_000;
const CHECKED_FOR_MS = 5_000;
/** The longest gap between two checks that counts as time with a loss, in ms. */
const LONGEST_GAP_MS = 60_000;
/** How long a decision made in another process applies to a loss not yet seen in this one, in ms. */
const DECIDED_FOR_MS = 60_000;

interface Check {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly error: BackendError | null;
}

const NOTHING: TypeTotal = { total: 0, isAtLeast: true, removed: [], hold: null, before: null };

/**
 * Distinguishes an emptied CMS from an edited one. If a type with PROTECTED_FROM entries or more loses over
 * half, the load fails and the last content stays. Reported removals are no loss. A loss is accepted by an
 * operator, or after an hour (decision 040).
 */
export class LossGuard {
  readonly #totals: TypeTotals;
  readonly #log: Logger;
  readonly #holdMs: number;
  readonly #clock: () => number;
  readonly #checks = new Map<string, Check>();
  readonly #checking = new SingleFlight();
  #recalling: Promise<void> | null = null;
  readonly #decidedAt = new Map<string, number>();
  /** The time of each type's last reported removal. Responses to earlier calls may contain the entry. */
  readonly #removalNotedAt = new Map<string, number>();
  readonly #seen = new Map<string, Set<string>>();

  constructor({ totals, log, holdMs = HOLD_MS, clock = () => performance.now() }: LossGuardOptions) {
    this.#totals = totals;
    this.#log = log;
    this.#holdMs = holdMs;
    this.#clock = clock;
  }

  /**
   * Counts each type's entries on disk, up to PROTECTED_FROM, if no total is known. Totals are unknown if
   * their file is missing, as at the first start. @param keys such as `articles/reading-a-fee-statement`.
   */
  recall(keys: () => AsyncIterable<string>): Promise<void> {
    this.#recalling ??= this.#recallFrom(keys).catch((error: unknown) =>
      this.#log.warn(
        { code: 'content-totals-uncounted', err: error },
        'content: the stored entries could not be counted',
      ),
    );
    return this.#recalling;
  }

  async confirm(
    { path, storage }: ServedType,
    { now, before, startedAt }: Record<'now' | 'before' | 'startedAt', number>,
    ask: Ask,
  ): Promise<boolean> {
    if (storage !== 'collection') return false;
    const isLoss = now === 0 ? before > 0 : before >= PROTECTED_FROM && now < before / 2;
    const isUnknown = now === 0 && this.#totals.get(path)?.hold;
    if (!isLoss && !isUnknown) return false;
    // After an accepted loss only the type's own total counts, whatever other types have lost.
    const hasAcceptedLoss = typeof this.#totals.get(path)?.before === 'number';
    if (this.#expected(path) >= (hasAcceptedLoss ? 1 : PROTECTED_FROM))
      await this.#check(path, startedAt, ask);
    else if (now === 0 && !hasAcceptedLoss) await this.#checkLargest(path, startedAt, ask);
    return isLoss;
  }

  loaded({ path, storage }: ServedType): void {
    if (storage === 'single') this.#acceptTotal(path, 1);
  }

  isAbsenceAccepted({ path }: ServedType): boolean {
    const known = this.#totals.get(path);
    if (known && this.#expected(path) === 0) return true;
    if (!known) this.#totals.set(path, { ...NOTHING, total: 1 });
    const isAccepted = this.#hold(path, 0);
    const at = this.#clock();
    this.#checks.set(path, { startedAt: at, endedAt: at, error: null });
    return isAccepted;
  }

  noteRemoval(path: string, id: string): void {
    const known = this.#totals.get(path);
    if (!known || known.removed.includes(id) || known.removed.length >= known.total) return;
    this.#totals.set(path, { ...known, removed: [...known.removed, id] });
    this.#removalNotedAt.set(path, this.#clock());
    this.#checks.delete(path);
  }

  isHeld(path: string): boolean {
    return Boolean(this.#totals.get(path)?.hold);
  }

  /** Accepts a loss that another process has accepted: now, or if it is seen here within DECIDED_FOR_MS. */
  acceptAsOthers(path: string): void {
    if (!this.accept(path, 'operator')) this.#decidedAt.set(path, this.#clock());
  }

  /** Makes an accepted loss count as a loss again. @returns a function that accepts it again. */
  reopen(path: string): () => void {
    this.#decidedAt.delete(path);
    const known = this.#totals.get(path);
    if (known?.before === null || known?.before === undefined) return () => {};
    this.#totals.set(path, { ...NOTHING, total: known.before, isAtLeast: false });
    return () => this.#totals.set(path, known);
  }

  totals(): ReadonlyMap<string, number> {
    return new Map([...this.#totals.entries()].map(([path, { total }]) => [path, total]));
  }

  #expected(path: string): number {
    const known = this.#totals.get(path);
    return known ? Math.max(0, known.total - known.removed.length) : 0;
  }

  #acceptTotal(path: string, total: number): void {
    const known = this.#totals.get(path);
    const isNews =
      !known || known.total !== total || known.isAtLeast || known.hold || known.removed.length > 0;
    if (!isNews) return;
    const should = this.#expected(path);
    const hasLostAll = total === 0 && should > 0;
    const before = hasLostAll ? should : (known?.before ?? null);
    this.#totals.set(path, { ...NOTHING, before, total, isAtLeast: false });
    if (hasLostAll)
      this.#log.warn(
        {
          code: 'content-emptied-accepted',
          ...{ type: path, entriesBefore: should, entries: total },
          remedy: 'if no editor has removed them, restore them in the CMS',
        },
        'content type: the CMS returns no entries; the last ones are gone without a webhook and count as deleted',
      );
  }

  /** Raises the known minimum of a type's total to the number of different entries seen in filtered lists. */
  #learn(path: string, body: unknown): void {
    const known = this.#totals.get(path) ?? NOTHING;
    if (!known.isAtLeast || known.total >= PROTECTED_FROM) return;
    const ids = this.#seen.get(path) ?? new Set();
    this.#seen.set(path, ids);
    for (const row of rowsOf(body) ?? []) {
      const id = entryOf(row)?.id;
      if (id !== undefined && ids.size < PROTECTED_FROM) ids.add(id);
    }
    if (ids.size > known.total) this.#totals.set(path, { ...known, total: ids.size });
  }

  async #recallFrom(keys: () => AsyncIterable<string>): Promise<void> {
    if (!this.#totals.outliveProcess || [...this.#totals.entries()].length > 0) return;
    const counts = new Map<string, number>();
    for await (const key of keys()) {
      const path = key.slice(0, Math.max(0, key.indexOf('/')));
      if (servedType(path)?.storage === 'collection') counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    for (const [path, count] of counts)
      this.#totals.set(path, { ...NOTHING, total: Math.min(count, PROTECTED_FROM) });
  }

  #hold(path: string, total: number): boolean {
    const known = this.#totals.get(path) ?? NOTHING;
    const now = this.#clock();
    const lastSeenAt = this.#checks.get(path)?.endedAt ?? now;
    const before: Hold = known.hold ?? { total, since: new Date().toISOString(), heldMs: 0 };
    const seenMs = known.hold ? Math.min(now - lastSeenAt, LONGEST_GAP_MS) : 0;
    const next = { ...before, total, heldMs: before.heldMs + seenMs };
    if (next.heldMs >= this.#holdMs) return this.accept(path, 'time');
    this.#totals.set(path, { ...known, hold: next });
    const isDecided = now - (this.#decidedAt.get(path) ?? Number.NEGATIVE_INFINITY) < DECIDED_FOR_MS;
    return isDecided && this.accept(path, 'operator');
  }

  accept(path: string, by: 'operator' | 'time'): boolean {
    const known = this.#totals.get(path);
    if (!known?.hold) return false;
    const { total, since } = known.hold;
    this.#totals.set(path, { ...NOTHING, total, isAtLeast: false, before: known.total });
    this.#checks.delete(path);
    this.#log.warn(
      {
        code: 'content-loss-accepted',
        ...{ type: path, entriesBefore: known.total, entries: total, since, by },
        remedy: `POST /cache?restore=${path} on the ops port brings the last content back within a day`,
      },
      by === 'operator'
        ? 'content type: the loss of its entries is accepted'
        : 'content type: most of its entries are still gone after an hour and now count as deleted',
    );
    return true;
  }

  /** Judges a total. Remembers it unless the response to a later call has come first. */
  #judge(path: string, total: number, startedAt: number): BackendError | null {
    const should = this.#expected(path);
    const isLost = should >= PROTECTED_FROM && total < should / 2;
    const isLatest = startedAt >= (this.#checks.get(path)?.startedAt ?? Number.NEGATIVE_INFINITY);
    const isHeldBack = isLost && !(isLatest && this.#hold(path, total));
    // Skip a total requested before the last removal: it would make the next removal look like a loss.
    const isCurrent = isLatest && startedAt >= (this.#removalNotedAt.get(path) ?? Number.NEGATIVE_INFINITY);
    if (!isHeldBack && isCurrent) this.#acceptTotal(path, total);
    const error = isHeldBack
      ? emptied(path, `${total} of ${should} entries are left, and no event has reported their removal`)
      : null;
    if (isLatest) this.#checks.set(path, { startedAt, endedAt: this.#clock(), error });
    return error;
  }

  guarded(call: CallBackend): CallBackend {
    return async (address, signal) => {
      const startedAt = this.#clock();
      const answer = await call(address, signal);
      const path = pathOfCall(address);
      if (servedType(path)?.storage !== 'collection' || rowsOf(answer.body) === null) return answer;
      if (address.includes('filters[')) {
        this.#learn(path, answer.body);
        return answer;
      }
      const { total } = paginationOf(answer.body);
      const should = this.#expected(path);
      if (total === 0 && should > 0 && should < PROTECTED_FROM)
        await this.#checkLargest(path, startedAt, other => this.guarded(call)(other, signal));
      const error = this.#judge(path, total, startedAt);
      if (error) throw error;
      return answer;
    };
  }

  /** Asks for a type's total, once for all callers. A total requested before `since` is too old. */
  async #check(path: string, since: number, ask: Ask): Promise<void> {
    const isKnown = () => {
      const last = this.#checks.get(path);
      if (!last) return false;
      if (last.error && this.#clock() - last.endedAt < CHECKED_FOR_MS) throw last.error;
      return last.startedAt >= since;
    };
    while (!isKnown()) {
      const flight = { isOwn: false };
      await this.#checking.run(path, () => {
        flight.isOwn = true;
        return ask(totalCall(path));
      });
      if (flight.isOwn) return;
    }
  }

  /** Checks the largest protected type. If it was emptied as well, the whole CMS was. */
  async #checkLargest(path: string, since: number, ask: Ask): Promise<void> {
    const largest = [...this.#totals.entries()]
      .filter(([other]) => other !== path && this.#expected(other) >= PROTECTED_FROM)
      .sort(([a], [b]) => this.#expected(b) - this.#expected(a))[0];
    if (!largest) return;
    try {
      await this.#check(largest[0], since, ask);
    } catch (error) {
      if (error instanceof BackendError && error.kind === 'emptied')
        throw emptied(path, `no entries are left, and '${largest[0]}' was emptied as well`, error);
      throw error;
    }
  }
}

/**
 * @param cause the error of the largest type, if that type was emptied too. This type's loss is then not
 * accepted before the loss of the largest type.
 */
function emptied(path: string, reason: string, cause?: BackendError): BackendError {
  return new BackendError('emptied', `GET /api/${path}`, reason, { cause });
}

function totalCall(path: string): string {
  const type = servedType(path);
  if (!type) throw new Error(`No content type '${path}'`);
  return callOf(type, joined(Object.hasOwn(type.fields, 'slug') ? 'fields[0]=slug' : '', pageOf(1, 1)));
}
