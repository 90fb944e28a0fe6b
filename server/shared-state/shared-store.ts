import { ConfigError } from '../config.ts';
import type { Secret } from '../http/bearer-token.ts';
import type { Logger } from '../ops/log.ts';
import { examineInfo, policyAdvice, type StoreFacts } from './examine-store.ts';
import { createFailurePause } from './failure-pause.ts';
import type { Redis } from './redis-client.ts';
import { createSeal, type Seal } from './seal.ts';
import { errorText } from './server-fault.ts';
import { type SharedAddress, shownAddress } from './shared-address.ts';
import type { SharedMetrics } from './shared-metrics.ts';
import { SharedStoreError } from './shared-store-error.ts';
import { storeProblem } from './store-problem.ts';

/** An argument of a command. */
export type Argument = string | number | Buffer;

export interface CommandOptions {
  /** The purpose of the command, for the metrics: a word of the program. */
  op: string;
  /** How long its answer is waited for, in ms. */
  limitMs: number;
  /** Whether the answer's texts are bytes. */
  asBytes?: boolean;
}

/**
 * The connection to the store that replicas share (SHARED_URL). Nothing depends on it: a command that has no answer within its limit rejects, and the
 * caller goes on as if the replica were alone. After five failures in a row the store is not asked for a second.
 */
export interface SharedStore extends Seal {
  /** Whether the store answers and takes what is written. */
  readonly isUp: boolean;
  readonly state: SharedStoreState;
  /** @returns the key of a name, with the prefix of this site (SHARED_PREFIX). */
  key(name: string): string;
  /**
   * Sends one command.
   *
   * @returns the store's answer: texts, whole numbers, null, or arrays of them.
   * @throws SharedStoreError without an answer, or with an error for an answer.
   */
  command<T = unknown>(name: string, args: readonly Argument[], options: CommandOptions): Promise<T>;
  /** Opens a connection for commands that block, such as XREAD, so that no other command waits behind them. */
  openReader(): SharedReader;
  /** Adds a listener that is called with the first answer on each connection, and at once where there is one. The store may have lost all keys before. */
  onConnected(listener: () => void): void;
  /**
   * Resolves when the store has been examined, or has not answered for a moment.
   *
   * @throws ConfigError when the store cannot work: its version is too old, or it is a node of a cluster.
   */
  examined(): Promise<void>;
  stop(): void;
}

export type SharedStoreState =
  | { readonly isUp: true; readonly reason: null }
  /** The reason is for the log and for operators. */
  | { readonly isUp: false; readonly reason: string };

/** A connection of its own. */
export interface SharedReader {
  /**
   * Sends one command, which may block. A connection whose answer is late is given up, and another one established.
   *
   * @throws SharedStoreError without an answer within the limit in ms, or with an error for an answer.
   */
  command<T = unknown>(name: string, args: readonly Argument[], limitMs: number): Promise<T>;
  stop(): void;
}

export interface SharedStoreOptions {
  address: SharedAddress;
  /** The beginning of all keys. */
  prefix: string;
  /** SHARED_SECRET, with its former value; null for values that are not sealed. */
  secret?: Secret | null;
  metrics: SharedMetrics | null;
  log: Logger;
}

/** How long the first commands wait for the connection, in ms. The loading of the client does not count. */
const FIRST_CONNECTION_MS = 500;
/** A connection on which nothing was answered for this time is given up, in ms. */
const SILENCE_MS = 5_000;
/** A reader has a time limit for each command. */
const READER_SILENCE_MS = 60_000;
/** How often the store is asked whether it still answers, in ms: with the limit of an answer less than a second. */
const BEAT_EVERY_MS = 250;
/** While the store is down, it is asked this often whether it is back, in ms. */
const PROBE_EVERY_MS = 1_000;
const PROBE_LIMIT_MS = 500;
const PROBE = 'probe';
/** A shorter failure has no line in the log, in ms. */
const LOGGED_AFTER_MS = 1_000;
/** Errors by which a server that works refuses what would be written. */
const REFUSES_WRITES = /^(?:OOM|READONLY|MISCONF|NOREPLICAS|NOPERM)\b/;
/** An error that the caller answers by sending the script. */
const NO_SCRIPT = /^NOSCRIPT\b/;
const READS: ReadonlySet<string> = new Set(['GET', 'MGET', 'SMEMBERS', 'PING', 'INFO', 'XREAD', 'XRANGE']);

/** Connects to the shared store. The packages of its client are loaded now. */
export function openSharedStore(options: SharedStoreOptions): SharedStore {
  const { address, prefix, secret = null, metrics, log } = options;
  let isForgeryLogged = false;
  const seal = createSeal(secret, place => {
    const [kind = ''] = place.slice(prefix.length).split(/[: ]/, 1);
    metrics?.called(kind, 'forged', 0);
    if (isForgeryLogged) return;
    isForgeryLogged = true;
    const remedy = 'give all replicas the same SHARED_SECRET; else find out who writes to the store';
    log.error(
      { code: 'shared-value-forged', kind, remedy },
      'shared store: a value that no replica with this SHARED_SECRET has written counts as absent; further ones are only counted',
    );
  });
  const pause = createFailurePause();
  const listeners: (() => void)[] = [];
  const readers = new Set<SharedReader>();
  const where = shownAddress(address);
  const firstConnection = Promise.withResolvers<void>();
  const examination = Promise.withResolvers<void>();
  examination.promise.catch(() => {});
  let redis: Redis | null = null;
  /** Whether an answer has come on this connection. A hung server accepts connections all the same. */
  let isAnswering = false;
  let isStopped = false;
  let isUsable = true;
  let wasExamined = false;
  let lastError = 'there is no connection yet';
  /** The error by which the store refuses what would be written; null while it takes it. */
  let refusal: string | null = null;
  let isLoggedDown = false;
  let downSince: number | null = null;
  let probedAt = Number.NEGATIVE_INFINITY;

  const client = import('./redis-client.ts').then(({ createRedis }) => createRedis);
  void firstConnection.promise.then(() => examination.resolve());
  let upkeep: NodeJS.Timeout | undefined;
  void client.then(create => {
    if (isStopped) return;
    redis = create(address, SILENCE_MS);
    upkeep = setInterval(keepUp, BEAT_EVERY_MS);
    upkeep.unref();
    const timeout = setTimeout(firstConnection.resolve, FIRST_CONNECTION_MS);
    void firstConnection.promise.then(() => clearTimeout(timeout));
    redis.on('ready', () => {
      lastError = 'the connection was lost';
      void probe();
    });
    redis.on('close', () => {
      isAnswering = false;
      // The store cannot be reached, so the first commands need not wait.
      firstConnection.resolve();
    });
    redis.on('error', (error: Error) => {
      lastError = errorText(error);
    });
  });

  function stateNow(): SharedStoreState {
    if (!isUsable || !isAnswering || pause.isOpen) return { isUp: false, reason: lastError };
    return refusal === null ? { isUp: true, reason: null } : { isUp: false, reason: refusal };
  }

  /** Asks the store whether it still answers, or is back, and logs what has changed. */
  function keepUp(): void {
    const isFailing = pause.isOpen || !isAnswering;
    if (!isFailing)
      // A store may hang while nobody asks it.
      send('GET', [prefix + PROBE], { op: PROBE, limitMs: PROBE_LIMIT_MS }).catch(({ kind }) => {
        isAnswering &&= kind !== 'late';
      });
    else if (redis?.status === 'ready' && performance.now() - probedAt >= PROBE_EVERY_MS) void probe();
    const { isUp, reason } = stateNow();
    if (isUp) {
      downSince = null;
      if (isLoggedDown)
        log.warn({ address: where }, 'shared store: it is back, and what replicas know is shared again');
      isLoggedDown = false;
      return;
    }
    downSince ??= performance.now();
    if (isLoggedDown || performance.now() - downSince < LOGGED_AFTER_MS) return;
    isLoggedDown = true;
    log.error(
      { address: where, reason, remedy: storeProblem(reason).remedy },
      'shared store: it does not work, so this replica asks the CMS for itself; pages are answered as before',
    );
  }

  /** Examines the store. The first answer on a connection is that of the probe. */
  async function probe(): Promise<void> {
    const from = performance.now();
    probedAt = from;
    try {
      const info = await send<string>('INFO', [], { op: PROBE, limitMs: PROBE_LIMIT_MS });
      const found = examineInfo(info);
      isUsable = found.kind === 'usable';
      if (found.kind === 'unusable') refuse(found.reason);
      else if (!wasExamined) tell(found.facts, performance.now() - from);
      wasExamined = true;
      answered();
    } catch {
      // The state has the reason.
    }
    firstConnection.resolve();
  }

  /** An answer has come on this connection. */
  function answered(): void {
    pause.answered();
    if (isAnswering) return;
    isAnswering = true;
    for (const listener of listeners) listener();
  }

  function refuse(reason: string): void {
    const message = `SHARED_URL: the store at ${where} cannot be used: ${reason}`;
    lastError = message;
    // The start ends with it. A store that is exchanged later is left alone.
    examination.reject(new ConfigError([message]));
  }

  function tell(facts: StoreFacts, ms: number): void {
    const advice = policyAdvice(facts);
    const level = facts.policy?.startsWith('allkeys') ? 'warn' : 'info';
    const fields = { address: where, ...facts, latencyMs: Math.round(ms * 100) / 100, prefix };
    log[level](fields, `shared store: connected${advice === null ? '' : `; ${advice}`}`);
  }

  async function send<T>(name: string, args: readonly Argument[], options: CommandOptions): Promise<T> {
    const { op, limitMs, asBytes = false } = options;
    const from = performance.now();
    const count = (outcome: string) => metrics?.called(op, outcome, performance.now() - from);
    try {
      if (redis?.status !== 'ready') throw new SharedStoreError('unreachable', lastError);
      const answer = await answerWithin<T>(redis, name, args, limitMs, asBytes);
      if (op !== PROBE) answered();
      if (!READS.has(name)) refusal = null;
      count('answered');
      return answer;
    } catch (cause) {
      const error = asSharedStoreError(cause);
      if (error.kind === 'refused' && REFUSES_WRITES.test(error.message)) {
        if (!READS.has(name)) refusal = error.message;
        answered();
      } else if (!NO_SCRIPT.test(error.message)) {
        if (error.kind !== 'unreachable') lastError = `${name}: ${error.message}`;
        pause.failed();
      }
      count(error.kind);
      throw error;
    }
  }

  async function command<T>(name: string, args: readonly Argument[], options: CommandOptions): Promise<T> {
    await firstConnection.promise;
    if (isUsable && pause.mayAsk()) return send(name, args, options);
    metrics?.called(options.op, 'skipped', 0);
    throw new SharedStoreError('skipped', lastError);
  }

  return {
    ...seal,
    get isUp() {
      return stateNow().isUp;
    },
    get state() {
      return stateNow();
    },
    key: name => prefix + name,
    command,
    openReader() {
      const reader = openReader(client.then(create => create(address, READER_SILENCE_MS)));
      readers.add(reader);
      return reader;
    },
    onConnected(listener) {
      listeners.push(listener);
      if (isAnswering) listener();
    },
    examined: () => examination.promise,
    stop() {
      isStopped = true;
      clearInterval(upkeep);
      firstConnection.resolve();
      redis?.disconnect();
      for (const reader of readers) reader.stop();
    },
  };
}

/** @returns a connection for commands that block. */
function openReader(connecting: Promise<Redis>): SharedReader {
  let isStopped = false;
  let lastError = 'there is no connection yet';
  void connecting.then(redis => {
    redis.on('error', (error: Error) => {
      lastError = errorText(error);
    });
    if (isStopped) redis.disconnect();
  });
  return {
    async command<T>(name: string, args: readonly Argument[], limitMs: number) {
      const redis = await connecting;
      if (redis.status !== 'ready') throw new SharedStoreError('unreachable', lastError);
      try {
        return await answerWithin<T>(redis, name, args, limitMs, false);
      } catch (cause) {
        const error = asSharedStoreError(cause);
        if (error.kind === 'late' && !isStopped) redis.disconnect(true);
        throw error;
      }
    },
    stop() {
      isStopped = true;
      void connecting.then(redis => redis.disconnect());
    },
  };
}

/** Sends a command. @throws SharedStoreError `late` when its answer has not come within a limit in ms; the client's errors. */
function answerWithin<T>(
  redis: Redis,
  name: string,
  args: readonly Argument[],
  limitMs: number,
  asBytes: boolean,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const late = () => reject(new SharedStoreError('late', `no answer within ${limitMs} ms`));
    // After a long turn of the event loop timers come first. An answer that has come meanwhile is read before the limit counts.
    const timer = setTimeout(() => setImmediate(late), limitMs);
    const answer = asBytes ? redis.callBuffer(name, ...args) : redis.call(name, ...args);
    answer.then(
      value => {
        clearTimeout(timer);
        resolve(value as T);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

function asSharedStoreError(error: unknown): SharedStoreError {
  if (error instanceof SharedStoreError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return new SharedStoreError(name === 'ReplyError' ? 'refused' : 'unreachable', message, error);
}
