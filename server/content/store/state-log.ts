import { BackendError } from '../../errors.ts';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { type ContentState, remedyForAll } from '../requests/answer-meaning.ts';

interface StateEntry {
  readonly type: string;
  readonly state: Exclude<ContentState, 'ok'>;
  readonly level: 'error' | 'warn';
  readonly reason: string;
  readonly effect: string;
  readonly remedy: string;
  readonly error: unknown;
}

export interface StateLogOptions {
  readonly log: Logger;
  readonly hasToken: boolean;
  readonly isKnownDown: () => boolean;
  readonly now?: () => number;
  /** How long a log entry waits for other types to fail, in ms. A loaded type ends the wait. */
  readonly holdMs?: number;
}

const QUIET_MS = 60_000;
const HOLD_MS = 1_000;
/** From this number on, failing types share one log entry. */
const MIN_TYPES = 3;
const MESSAGES: Readonly<Record<Exclude<ContentState, 'ok'>, string>> = {
  empty: 'content type empty',
  emptied: 'content type emptied',
  refused: 'content type refused',
  down: 'content type down',
};
const NO_ANSWER = 'no answer';

/** Logs the states of content types. Types that fail together for one reason share an entry. */
export class StateLog {
  readonly #options: Required<StateLogOptions>;
  readonly #logged = new Map<string, Set<ContentState>>();
  readonly #loggedAt = new Map<string, number>();
  #held: StateEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #common: { cause: string; types: Set<string>; since: number; hasEntry: boolean } | null = null;

  constructor(options: StateLogOptions) {
    this.#options = { now: steadyNow, holdMs: HOLD_MS, ...options };
  }

  failed(entry: StateEntry): void {
    const cause = causeOf(entry.error);
    if (cause !== null && cause === this.#common?.cause) {
      this.#common.types.add(entry.type);
      return;
    }
    const isHeld = this.#held.some(({ type, state }) => type === entry.type && state === entry.state);
    if (isHeld || this.#isLogged(entry)) return;
    if (cause === null || this.#options.holdMs === 0) {
      this.#write(entry);
      return;
    }
    this.#held.push(entry);
    this.#timer ??= setTimeout(() => this.#release(), this.#options.holdMs);
    this.#timer.unref();
  }

  /** @param lastedMs the time in states other than `ok`; null if the type was `ok`. */
  loaded(type: string, state: ContentState, lastedMs: number | null): void {
    // Write the held entries separately: a type has loaded, so there is no common cause.
    for (const entry of this.#takeHeld()) this.#write(entry);
    if (this.#common) {
      const { types, since, hasEntry } = this.#common;
      this.#common = null;
      if (hasEntry)
        this.#options.log.warn(
          { code: 'content-types-ok', types: [...types], lastedMs: this.#options.now() - since },
          'content types ok again',
        );
    }
    if (lastedMs !== null && this.#logged.get(type)?.size)
      this.#options.log.warn({ code: 'content-type-ok', type, state, lastedMs }, 'content type ok again');
    this.#logged.delete(type);
  }

  /** @returns the remedy if all failures have one cause. The caller's log entry then covers all of them. */
  explained(errors: readonly unknown[]): string | null {
    if (errors.length < MIN_TYPES) return null;
    const causes = new Set(errors.map(causeOf));
    const [cause = null] = causes;
    const [error] = errors;
    if (cause === null || causes.size > 1 || !(error instanceof BackendError)) return null;
    const isOfCause = (entry: StateEntry) => causeOf(entry.error) === cause;
    const types = new Set(this.#held.filter(isOfCause).map(({ type }) => type));
    this.#held = this.#held.filter(entry => !isOfCause(entry));
    this.#common = { cause, types, since: this.#options.now(), hasEntry: false };
    return remedyForAll(error, this.#options.hasToken);
  }

  #isLogged({ type, state }: StateEntry): boolean {
    return this.#logged.get(type)?.has(state) === true || this.#isQuiet(`${type} ${state}`);
  }

  #isQuiet(key: string): boolean {
    return this.#options.now() - (this.#loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS;
  }

  #write(entry: StateEntry): void {
    const { error: _, level, ...shown } = entry;
    const { type, state } = entry;
    this.#logged.set(type, (this.#logged.get(type) ?? new Set()).add(state));
    this.#loggedAt.set(`${type} ${state}`, this.#options.now());
    this.#options.log[level]({ code: `content-type-${state}`, ...shown }, MESSAGES[state]);
  }

  #takeHeld(): readonly StateEntry[] {
    const entries = this.#held;
    this.#held = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return entries;
  }

  #release(): void {
    for (const [cause, same] of Map.groupBy(this.#takeHeld(), ({ error }) => causeOf(error))) {
      const types = new Set(same.map(({ type }) => type));
      const isDown = cause === NO_ANSWER && this.#options.isKnownDown();
      if (cause === null || (types.size < MIN_TYPES && !isDown)) {
        for (const entry of same) this.#write(entry);
        continue;
      }
      const hasEntry = !isDown && !this.#isQuiet(cause);
      this.#common = { cause, types, since: this.#options.now(), hasEntry };
      const [first] = same;
      if (!hasEntry || !(first?.error instanceof BackendError)) continue;
      this.#loggedAt.set(cause, this.#options.now());
      const { reason } = first.error;
      const { effect, state } = first;
      const remedy = remedyForAll(first.error, this.#options.hasToken);
      this.#options.log.error(
        { code: 'content-types-failed', types: [...types], state, reason, effect, remedy },
        'content types: several fail for the same reason',
      );
    }
  }
}

/** @returns a cause that other types may share; null for a cause of this type only. */
function causeOf(error: unknown): string | null {
  if (!(error instanceof BackendError)) return null;
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
    case 'refused-by-breaker':
      return NO_ANSWER;
    case 'malformed':
      return 'no answer of the CMS';
    case 'status':
      return error.status !== null && error.status >= 500 ? 'an error of the CMS' : `status ${error.status}`;
    default:
      return null;
  }
}
