import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import {
  type ContentState,
  emptiedWith,
  isAbsent,
  isEmptied,
  isOptional,
  isRefusal,
  remedyFor,
  stateAfter,
} from './answer-meaning.ts';
import type { ContentRequest } from './content-request.ts';
import type { ServedType } from './described-types.ts';
import { createStateLines, type StateLinesOptions } from './state-lines.ts';

/** A failed load of content. */
export interface LoadFailure {
  readonly error: unknown;
  /** Whether the content was loaded before and may still be served. */
  readonly isKnown: boolean;
  /** Whether the content was loaded before, and its loss is believed now. */
  readonly isTaken?: boolean;
}

/** The state of a type that is not `ok`, for `/readyz`. */
export interface TypeReport {
  readonly state: Exclude<ContentState, 'ok'>;
  /** When the type left the state `ok`, in ISO 8601. */
  readonly since: string;
  readonly reason: string;
  readonly remedy: string;
}

/** The state of the backend as a whole. `up`: no content that was known is refused, emptied or down. */
export type BackendState = 'up' | Exclude<ContentState, 'ok' | 'empty'>;

/** The states of the content types that were asked for. */
export interface ContentStates {
  /** Notes the end of a load. @param failure null for content that was loaded. */
  note(request: ContentRequest<object | null>, failure: LoadFailure | null): void;
  /** The worst state of a type; `up` without one. A backend that has refused every type is not up either. */
  readonly backend: BackendState;
  /** The state of each type, by path. */
  states(): ReadonlyMap<string, ContentState>;
  /** The types that are not `ok`, by path. */
  reports(): Readonly<Record<string, TypeReport>>;
  /** The last failed request of each type whose content is refused, emptied or down. */
  failed(): readonly ContentRequest<object | null>[];
  /** @returns the remedy for a failed load. */
  remedyFor(type: ServedType, error: unknown): string;
  /** Another line names these failures. They have no line of their own if all have one cause. @returns the remedy for it, else null. */
  explained(errors: readonly unknown[]): string | null;
}

/** The time since a type left the state `ok`. */
interface Trouble extends TypeReport {
  readonly request: ContentRequest<object | null>;
  readonly startedAt: number;
}

/** The states that raise an alarm, the worst first. */
const ALARMS = ['down', 'refused', 'emptied'] as const;

export interface ContentStatesOptions extends Pick<StateLinesOptions, 'isKnownDown' | 'holdMs'> {
  /** Whether CONTENT_TOKEN is set. */
  readonly hasToken: boolean;
  /** The clock, in ms. */
  readonly now?: () => number;
}

/** @returns the states, without a type yet. Each state of a type is logged once, with its remedy, and so is its end. */
export function createContentStates(log: Logger, options: ContentStatesOptions): ContentStates {
  const { hasToken, now = steadyNow } = options;
  const lines = createStateLines({ ...options, log });
  /** Null for a type in the state `ok`. */
  const types = new Map<string, Trouble | null>();

  function fail(request: ContentRequest<object | null>, { error, isKnown, isTaken }: LoadFailure): void {
    const { type } = request;
    const before = types.get(type.path) ?? null;
    const state = stateAfter(type, error, isKnown);
    // An entry that was never known is no news about a type whose known content is refused.
    if (state === 'empty' && !isTaken && before && before.state !== 'empty') return;
    const reason = error instanceof Error ? error.message : String(error);
    const remedy = `${remedyFor(type, error, hasToken)}${state === 'emptied' ? hintAt(type, error) : ''}`;
    const startedAt = before?.startedAt ?? now();
    const since = new Date(startedAt).toISOString();
    types.set(type.path, { state, since, reason, remedy, request, startedAt });
    const level = state === 'empty' && isOptional(type, error) ? 'warn' : 'error';
    const effect = effectOf(type, error, { state, isKnown });
    lines.failed({ type: type.path, state, level, reason, effect, remedy, error });
  }

  function succeed({ key, type: { path }, isCount }: ContentRequest<object | null>): void {
    const trouble = types.get(path);
    if (trouble && isCount && trouble.request.key !== key) return;
    types.set(path, null);
    lines.loaded(path, trouble?.state ?? 'ok', trouble ? now() - trouble.startedAt : null);
  }

  const troubles = () => [...types].flatMap(([path, trouble]) => (trouble ? [[path, trouble] as const] : []));
  const isAlarm = (state: ContentState) => ALARMS.some(alarm => alarm === state);

  return {
    note(request, failure) {
      if (failure) fail(request, failure);
      else succeed(request);
    },
    get backend() {
      const all = troubles();
      const worst = ALARMS.find(alarm => all.some(([, { state }]) => state === alarm));
      if (worst) return worst;
      return all.length > 0 && all.length === types.size ? 'refused' : 'up';
    },
    states: () => new Map([...types].map(([path, trouble]) => [path, trouble?.state ?? 'ok'])),
    reports: () =>
      Object.fromEntries(
        troubles().map(([path, { state, since, reason, remedy }]) => [
          path,
          { state, since, reason, remedy },
        ]),
      ),
    failed: () => troubles().flatMap(([, { state, request }]) => (isAlarm(state) ? [request] : [])),
    remedyFor: (type, error) => remedyFor(type, error, hasToken),
    explained: lines.explained,
  };
}

/** @returns the end of the remedy for a loss that can be accepted. */
function hintAt(type: ServedType, error: unknown): string {
  if (!isEmptied(error) && !isAbsent(type, error)) return '';
  return `. If the loss is meant: POST /cache?accept=${emptiedWith(error) ?? type.path} on the ops port; after an hour it is taken by itself`;
}

function effectOf(
  type: ServedType,
  error: unknown,
  { state, isKnown }: { state: Exclude<ContentState, 'ok'>; isKnown: boolean },
): string {
  if (isEmptied(error))
    return 'the last content stays on the site and on disk; entries that were never loaded are a 503';
  if (isKnown) return 'the last content stays on the site';
  if (state !== 'empty') return 'pages that need it are a 503';
  if (type.optional && isOptional(type, error)) return type.optional;
  return error instanceof BackendError && isRefusal(type, error)
    ? 'pages that use it are made without it; pages made of it are a 503'
    : 'pages are made without it';
}
