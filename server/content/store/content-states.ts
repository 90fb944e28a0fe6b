import { BackendError } from '../../errors.ts';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { ServedType } from '../../wire/described-types.ts';
import {
  type ContentState,
  emptiedWith,
  isAbsent,
  isEmptied,
  isOptional,
  isRefusal,
  remedyFor,
  stateAfter,
} from '../requests/answer-meaning.ts';
import type { ContentRequest } from '../requests/content-request.ts';
import { StateLog, type StateLogOptions } from './state-log.ts';

export interface LoadFailure {
  readonly error: unknown;
  /** Whether the content was loaded earlier and may still be served. */
  readonly isKnown: boolean;
  readonly isAccepted?: boolean;
}

export interface TypeReport {
  readonly state: Exclude<ContentState, 'ok'>;
  readonly since: string;
  readonly reason: string;
  readonly remedy: string;
}

export type BackendState = 'up' | Exclude<ContentState, 'ok' | 'empty'>;

interface Trouble extends TypeReport {
  readonly request: ContentRequest<object | null>;
  readonly startedAt: number;
}

const ALARMS = ['down', 'refused', 'emptied'] as const;

/** The states of content types. Logs the start of each state once, with a remedy, and its end. */
export class ContentStates {
  readonly #hasToken: boolean;
  readonly #now: () => number;
  readonly #entries: StateLog;
  readonly #types = new Map<string, Trouble | null>();

  constructor(log: Logger, options: Omit<StateLogOptions, 'log'>) {
    this.#hasToken = options.hasToken;
    this.#now = options.now ?? steadyNow;
    this.#entries = new StateLog({ ...options, log });
  }

  note(request: ContentRequest<object | null>, failure: LoadFailure | null): void {
    if (failure) this.#fail(request, failure);
    else this.#succeed(request);
  }

  /** The worst state of all types. A backend that has refused every type is not up. */
  get backend(): BackendState {
    const all = this.#troubles();
    const worst = ALARMS.find(alarm => all.some(([, { state }]) => state === alarm));
    if (worst) return worst;
    return all.length > 0 && all.length === this.#types.size ? 'refused' : 'up';
  }

  states(): ReadonlyMap<string, ContentState> {
    return new Map([...this.#types].map(([path, trouble]) => [path, trouble?.state ?? 'ok']));
  }

  reports(): Readonly<Record<string, TypeReport>> {
    return Object.fromEntries(
      this.#troubles().map(([path, { state, since, reason, remedy }]) => [
        path,
        { state, since, reason, remedy },
      ]),
    );
  }

  failed(): readonly ContentRequest<object | null>[] {
    const isAlarm = (state: ContentState) => ALARMS.some(alarm => alarm === state);
    return this.#troubles().flatMap(([, { state, request }]) => (isAlarm(state) ? [request] : []));
  }

  remedyFor(type: ServedType, error: unknown): string {
    return remedyFor(type, error, this.#hasToken);
  }

  explained(errors: readonly unknown[]): string | null {
    return this.#entries.explained(errors);
  }

  #troubles() {
    return [...this.#types].flatMap(([path, trouble]) => (trouble ? [[path, trouble] as const] : []));
  }

  #fail(request: ContentRequest<object | null>, { error, isKnown, isAccepted }: LoadFailure): void {
    const { type } = request;
    const before = this.#types.get(type.path) ?? null;
    const state = stateAfter(type, error, isKnown);
    // Ignore content that was never loaded: it must not hide that known content of the type fails.
    if (state === 'empty' && !isAccepted && before && before.state !== 'empty') return;
    const reason = error instanceof Error ? error.message : String(error);
    const hint = state === 'emptied' ? hintAt(type, error) : '';
    const remedy = `${this.remedyFor(type, error)}${hint}`;
    const startedAt = before?.startedAt ?? this.#now();
    const since = new Date(startedAt).toISOString();
    this.#types.set(type.path, { state, since, reason, remedy, request, startedAt });
    const level = state === 'empty' && isOptional(type, error) ? 'warn' : 'error';
    const effect = effectOf(type, error, { state, isKnown });
    this.#entries.failed({ type: type.path, state, level, reason, effect, remedy, error });
  }

  #succeed({ key, type: { path }, isCount }: ContentRequest<object | null>): void {
    const trouble = this.#types.get(path);
    if (trouble && isCount && trouble.request.key !== key) return;
    this.#types.set(path, null);
    this.#entries.loaded(path, trouble?.state ?? 'ok', trouble ? this.#now() - trouble.startedAt : null);
  }
}

function hintAt(type: ServedType, error: unknown): string {
  if (!isEmptied(error) && !isAbsent(type, error)) return '';
  return `. If the loss is meant: POST /cache?accept=${emptiedWith(error) ?? type.path} on the ops port; after an hour it is accepted by itself`;
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
