import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { type ContentState, remedyForAll } from './answer-meaning.ts';

/** A type that has come to a state, for the log. */
export interface StateLine {
  readonly type: string;
  readonly state: Exclude<ContentState, 'ok'>;
  /** `warn` for a type that a backend may lack. */
  readonly level: 'error' | 'warn';
  readonly reason: string;
  readonly effect: string;
  readonly remedy: string;
  readonly error: unknown;
}

/** The lines about the states of types. Types that fail together for one reason have one line. */
export interface StateLines {
  failed(line: StateLine): void;
  /** Notes that a type was loaded. @param lastedMs how long it was in a state that is not `ok`; null if it was `ok`. */
  loaded(type: string, state: ContentState, lastedMs: number | null): void;
  /** Another line names these failures. They have no line of their own if all have one cause. @returns the remedy for it, else null. */
  explained(errors: readonly unknown[]): string | null;
}

export interface StateLinesOptions {
  readonly log: Logger;
  /** Whether CONTENT_TOKEN is set. */
  readonly hasToken: boolean;
  /** Whether the log says already that the backend is down. */
  readonly isKnownDown: () => boolean;
  readonly now?: () => number;
  /** How long a line waits for the failures of other types, in ms. It is written at once when another type is loaded meanwhile. */
  readonly holdMs?: number;
}

/** A line about one type and state is not repeated for this time, in ms, even if the type was `ok` in between. */
const QUIET_MS = 60_000;
const HOLD_MS = 1_000;
/** Fewer types that fail have a line each. */
const MIN_TYPES = 3;
const MESSAGES: Readonly<Record<Exclude<ContentState, 'ok'>, string>> = {
  empty: 'content type empty',
  emptied: 'content type emptied',
  refused: 'content type refused',
  down: 'content type down',
};
const NO_ANSWER = 'no answer';

export function createStateLines({
  log,
  hasToken,
  isKnownDown,
  now = steadyNow,
  holdMs = HOLD_MS,
}: StateLinesOptions): StateLines {
  /** The states of each type that have a line of their own since it was `ok`. */
  const told = new Map<string, Set<ContentState>>();
  const toldAt = new Map<string, number>();
  let held: StateLine[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** The cause for which several types fail, with their one line. */
  let common: { cause: string; types: Set<string>; since: number; hasLine: boolean } | null = null;

  function failed(line: StateLine): void {
    const cause = causeOf(line.error);
    if (cause !== null && cause === common?.cause) {
      common.types.add(line.type);
      return;
    }
    if (isTold(line) || held.some(({ type, state }) => type === line.type && state === line.state)) return;
    if (cause === null || holdMs === 0) {
      write(line);
      return;
    }
    held.push(line);
    timer ??= setTimeout(release, holdMs);
    timer.unref();
  }

  function isTold({ type, state }: StateLine): boolean {
    if (told.get(type)?.has(state)) return true;
    return now() - (toldAt.get(`${type} ${state}`) ?? Number.NEGATIVE_INFINITY) < QUIET_MS;
  }

  function write(line: StateLine): void {
    const { error: _, level, ...shown } = line;
    told.set(line.type, (told.get(line.type) ?? new Set()).add(line.state));
    toldAt.set(`${line.type} ${line.state}`, now());
    log[level](shown, MESSAGES[line.state]);
  }

  function takeHeld(): StateLine[] {
    const lines = held;
    held = [];
    clearTimeout(timer);
    timer = undefined;
    return lines;
  }

  /** Writes the lines that have waited: one for those of the same cause. */
  function release(): void {
    const lines = takeHeld();
    for (const [cause, same] of Map.groupBy(lines, ({ error }) => causeOf(error))) {
      const types = new Set(same.map(({ type }) => type));
      const isDown = cause === NO_ANSWER && isKnownDown();
      if (cause === null || (types.size < MIN_TYPES && !isDown)) {
        for (const line of same) write(line);
        continue;
      }
      const isQuiet = now() - (toldAt.get(cause) ?? Number.NEGATIVE_INFINITY) < QUIET_MS;
      common = { cause, types, since: now(), hasLine: !isDown && !isQuiet };
      const [first] = same;
      if (!common.hasLine || !(first?.error instanceof BackendError)) continue;
      toldAt.set(cause, now());
      const { reason } = first.error;
      const { effect, state } = first;
      const remedy = remedyForAll(first.error, hasToken);
      log.error({ types: [...types], state, reason, effect, remedy }, 'content types fail for one reason');
    }
  }

  return {
    failed,
    loaded(type, state, lastedMs) {
      // Not all fail: each has its own reason.
      if (held.length > 0) for (const line of takeHeld()) write(line);
      if (common) {
        const { types, since, hasLine } = common;
        common = null;
        if (hasLine) log.warn({ types: [...types], lastedMs: now() - since }, 'content types ok again');
      }
      if (lastedMs !== null && told.get(type)?.size)
        log.warn({ type, state, lastedMs }, 'content type ok again');
      told.delete(type);
    },
    explained(errors) {
      if (errors.length < MIN_TYPES) return null;
      const causes = new Set(errors.map(causeOf));
      const [cause = null] = causes;
      const [error] = errors;
      if (cause === null || causes.size > 1 || !(error instanceof BackendError)) return null;
      const types = new Set(held.filter(({ error }) => causeOf(error) === cause).map(({ type }) => type));
      held = held.filter(({ error }) => causeOf(error) !== cause);
      common = { cause, types, since: now(), hasLine: false };
      return remedyForAll(error, hasToken);
    },
  };
}

/** @returns the cause that other types may fail for as well; null for one of the type alone. */
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
