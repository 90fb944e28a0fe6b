import type { Secret } from '../config/config.ts';
import { ConfigError } from '../config/config.ts';
import { type SharedAddress, shownAddress } from '../config/server-addresses.ts';
import { type Condition, condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';
import { examineInfo, policyAdvice, type StoreFacts } from './examine-store.ts';
import type { Redis } from './redis-client.ts';
import { createSeal, type Seal } from './seal.ts';
import { errorText } from './server-fault.ts';
import type { SharedMetrics } from './shared-metrics.ts';
import { type Argument, answerWithin, FailurePause, SharedStoreError } from './store-command.ts';
import { storeProblem } from './store-problem.ts';

export interface CommandOptions {
  /** The purpose of the command, for the metrics: a word of the program. */
  op: string;
  /** How long the caller waits for the answer, in ms. */
  limitMs: number;
  asBytes?: boolean;
}

export type SharedStoreState =
  | { readonly isUp: true; readonly reason: null }
  | { readonly isUp: false; readonly reason: string };

export interface SharedReader {
  /**
   * A late answer ends the connection, and a new one is made. @throws SharedStoreError without an answer
   * within the limit in ms.
   */
  command<T = unknown>(name: string, args: readonly Argument[], limitMs: number): Promise<T>;
  stop(): void;
}

export interface SharedStoreOptions {
  address: SharedAddress;
  prefix: string;
  /** SHARED_SECRET, with its former value; null for values that are not sealed. */
  secret?: Secret | null;
  metrics: SharedMetrics | null;
  log: Logger;
}

/** How long the first commands wait for the connection, in ms. The loading of the client does not count. */
const FIRST_CONNECTION_MS = 500;
/** A connection is given up after this time without an answer, in ms. */
const SILENCE_MS = 5_000;
/** Each command of a reader has a limit, too. */
const READER_SILENCE_MS = 60_000;
/** The pause between two looks whether the store still answers, in ms. */
const BEAT_EVERY_MS = 250;
/** The pause between two looks whether a store that is down is back, in ms. */
const PROBE_EVERY_MS = 1_000;
const PROBE_LIMIT_MS = 500;
const PROBE = 'probe';
/** A shorter failure has no log entry, in ms. */
const LOGGED_AFTER_MS = 1_000;
/** Errors by which a working server refuses writes. */
const REFUSES_WRITES = /^(?:OOM|READONLY|MISCONF|NOREPLICAS|NOPERM)\b/;
/** The caller answers this error by sending the script. */
const NO_SCRIPT = /^NOSCRIPT\b/;
const READS: ReadonlySet<string> = new Set(['GET', 'MGET', 'SMEMBERS', 'PING', 'INFO', 'XREAD', 'XRANGE']);

/**
 * A command without an answer in time rejects, and the caller goes on alone. After five failures in a row the
 * store is not asked for a second.
 */
export class SharedStore implements Seal {
  readonly seal: Seal['seal'];
  readonly open: Seal['open'];
  readonly #address: SharedAddress;
  readonly #where: string;
  readonly #prefix: string;
  readonly #metrics: SharedMetrics | null;
  readonly #log: Logger;
  readonly #works: Condition;
  readonly #pause = new FailurePause();
  readonly #listeners: (() => void)[] = [];
  readonly #readers = new Set<SharedReader>();
  readonly #client = import('./redis-client.ts').then(({ createRedis }) => createRedis);
  readonly #firstConnection = Promise.withResolvers<void>();
  readonly #examination = Promise.withResolvers<void>();
  #redis: Redis | null = null;
  /** A hung server accepts connections, but gives no answer on them. */
  #isAnswering = false;
  #isStopped = false;
  #isUsable = true;
  #wasExamined = false;
  #isForgeryLogged = false;
  #lastError = 'there is no connection yet';
  /** The error by which the store refuses writes; null while it accepts them. */
  #refusal: string | null = null;
  #probedAt = Number.NEGATIVE_INFINITY;
  #upkeep: NodeJS.Timeout | undefined;

  constructor({ address, prefix, secret = null, metrics, log }: SharedStoreOptions) {
    this.#address = address;
    this.#where = shownAddress(address);
    this.#prefix = prefix;
    this.#metrics = metrics;
    this.#log = log;
    const { seal, open } = createSeal(secret, place => this.#refuseForgery(place));
    this.seal = seal;
    this.open = open;
    this.#works = condition(log, {
      code: 'shared-store',
      down: 'shared store: it does not work, so this replica asks the CMS for itself; pages are answered as before',
      up: 'shared store: it is back, and what replicas know is shared again',
      afterMs: LOGGED_AFTER_MS,
    });
    this.#examination.promise.catch(() => {});
    void this.#firstConnection.promise.then(() => this.#examination.resolve());
    void this.#client.then(create => {
      if (!this.#isStopped) this.#connect(create(address, SILENCE_MS));
    });
  }

  /** Whether the store answers and accepts writes. */
  get isUp(): boolean {
    return this.state.isUp;
  }

  get state(): SharedStoreState {
    if (!this.#isUsable || !this.#isAnswering || this.#pause.isOpen)
      return { isUp: false, reason: this.#lastError };
    return this.#refusal === null ? { isUp: true, reason: null } : { isUp: false, reason: this.#refusal };
  }

  /** Puts the prefix of this site before a name (SHARED_PREFIX). */
  key(name: string): string {
    return this.#prefix + name;
  }

  /** @throws SharedStoreError without an answer, or with an error for an answer. */
  async command<T = unknown>(name: string, args: readonly Argument[], options: CommandOptions): Promise<T> {
    await this.#firstConnection.promise;
    if (this.#isUsable && this.#pause.mayAsk()) return this.#send(name, args, options);
    this.#metrics?.called(options.op, 'skipped', 0);
    throw new SharedStoreError('skipped', this.#lastError);
  }

  /** For commands that block, such as XREAD: no other command waits behind them. */
  openReader(): SharedReader {
    const reader = openReader(this.#client.then(create => create(this.#address, READER_SILENCE_MS)));
    this.#readers.add(reader);
    return reader;
  }

  /** Calls back with the first answer on each connection. The store may have lost all keys before. */
  onConnected(listener: () => void): void {
    this.#listeners.push(listener);
    if (this.#isAnswering) listener();
  }

  /** Resolves when the store was examined. @throws ConfigError for an old version, or a node of a cluster. */
  examined(): Promise<void> {
    return this.#examination.promise;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#upkeep);
    this.#firstConnection.resolve();
    this.#redis?.disconnect();
    for (const reader of this.#readers) reader.stop();
  }

  #connect(redis: Redis): void {
    this.#redis = redis;
    this.#upkeep = setInterval(() => this.#keepUp(), BEAT_EVERY_MS).unref();
    const timeout = setTimeout(this.#firstConnection.resolve, FIRST_CONNECTION_MS);
    void this.#firstConnection.promise.then(() => clearTimeout(timeout));
    redis.on('ready', () => {
      this.#lastError = 'the connection was lost';
      void this.#probe();
    });
    redis.on('close', () => {
      this.#isAnswering = false;
      // The store cannot be reached, so the first commands need not wait.
      this.#firstConnection.resolve();
    });
    redis.on('error', (error: Error) => {
      this.#lastError = errorText(error);
    });
  }

  #keepUp(): void {
    const isFailing = this.#pause.isOpen || !this.#isAnswering;
    if (!isFailing)
      // A store may hang while nobody asks it.
      this.#send('GET', [this.#prefix + PROBE], { op: PROBE, limitMs: PROBE_LIMIT_MS }).catch(({ kind }) => {
        this.#isAnswering &&= kind !== 'late';
      });
    else if (this.#redis?.status === 'ready' && performance.now() - this.#probedAt >= PROBE_EVERY_MS)
      void this.#probe();
    const { isUp, reason } = this.state;
    if (isUp) this.#works.up({ address: this.#where });
    else this.#works.down({ address: this.#where, reason, remedy: storeProblem(reason).remedy });
  }

  /** Examines the store. The first answer on a connection is that of the probe. */
  async #probe(): Promise<void> {
    const from = performance.now();
    this.#probedAt = from;
    try {
      const info = await this.#send<string>('INFO', [], { op: PROBE, limitMs: PROBE_LIMIT_MS });
      const found = examineInfo(info);
      this.#isUsable = found.kind === 'usable';
      if (found.kind === 'unusable') this.#refuse(found.reason);
      else if (!this.#wasExamined) this.#logConnected(found.facts, performance.now() - from);
      this.#wasExamined = true;
      this.#answered();
    } catch {
      // The state has the reason.
    }
    this.#firstConnection.resolve();
  }

  #answered(): void {
    this.#pause.answered();
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    for (const listener of this.#listeners) listener();
  }

  #refuse(reason: string): void {
    this.#lastError = `SHARED_URL: the store at ${this.#where} cannot be used: ${reason}`;
    // The start ends with it. A store that is exchanged later is left alone.
    this.#examination.reject(new ConfigError([this.#lastError]));
  }

  #refuseForgery(place: string): void {
    const [kind = ''] = place.slice(this.#prefix.length).split(/[: ]/, 1);
    this.#metrics?.called(kind, 'forged', 0);
    if (this.#isForgeryLogged) return;
    this.#isForgeryLogged = true;
    const remedy = 'give all replicas the same SHARED_SECRET; else find out who writes to the store';
    this.#log.error(
      { code: 'shared-value-forged', kind, remedy },
      'shared store: a value that no replica with this SHARED_SECRET has written counts as absent; further ones are only counted',
    );
  }

  #logConnected(facts: StoreFacts, ms: number): void {
    const advice = policyAdvice(facts);
    const level = facts.policy?.startsWith('allkeys') ? 'warn' : 'info';
    const latencyMs = Math.round(ms * 100) / 100;
    this.#log[level](
      { code: 'shared-store-connected', address: this.#where, ...facts, latencyMs, prefix: this.#prefix },
      `shared store: connected${advice === null ? '' : `; ${advice}`}`,
    );
  }

  async #send<T>(name: string, args: readonly Argument[], options: CommandOptions): Promise<T> {
    const { op, limitMs, asBytes } = options;
    const from = performance.now();
    const count = (outcome: string) => this.#metrics?.called(op, outcome, performance.now() - from);
    try {
      if (this.#redis?.status !== 'ready') throw new SharedStoreError('unreachable', this.#lastError);
      const answer = await answerWithin<T>(this.#redis, name, args, limitMs, asBytes);
      if (op !== PROBE) this.#answered();
      if (!READS.has(name)) this.#refusal = null;
      count('answered');
      return answer;
    } catch (error) {
      // `answerWithin` throws nothing else.
      if (error instanceof SharedStoreError) {
        this.#noteFailure(name, error);
        count(error.kind);
      }
      throw error;
    }
  }

  #noteFailure(name: string, { kind, message }: SharedStoreError): void {
    if (kind === 'refused' && REFUSES_WRITES.test(message)) {
      if (!READS.has(name)) this.#refusal = message;
      this.#answered();
    } else if (!NO_SCRIPT.test(message)) {
      if (kind !== 'unreachable') this.#lastError = `${name}: ${message}`;
      this.#pause.failed();
    }
  }
}

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
        return await answerWithin<T>(redis, name, args, limitMs);
      } catch (error) {
        const isLate = error instanceof SharedStoreError && error.kind === 'late';
        if (isLate && !isStopped) redis.disconnect(true);
        throw error;
      }
    },
    stop() {
      isStopped = true;
      void connecting.then(redis => redis.disconnect());
    },
  };
}
