import type { Secret } from '../config/config.ts';
import { ConfigError } from '../config/config.ts';
import { type SharedAddress, shownAddress } from '../config/server-addresses.ts';
import { Condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';
import { examineInfo, policyAdvice, type StoreFacts } from './examine-store.ts';
import type { Redis } from './redis-client.ts';
import { createSeal, type Seal } from './seal.ts';
import { errorText, storeProblem } from './server-fault.ts';
import {
  type Argument,
  answerWithin,
  FailurePause,
  SharedStoreError,
  type SharedStoreFailure,
} from './store-command.ts';

interface CommandOptions {
  /** The metrics label of the command. Use only literals, never data. */
  op: string;
  limitMs: number;
  asBytes?: boolean;
}

export type SharedStoreState =
  | { readonly isUp: true; readonly reason: null }
  | { readonly isUp: false; readonly reason: string };

type SharedReader = ReturnType<typeof openReader>;

export type StoreOutcome = SharedStoreFailure | 'answered' | 'skipped' | 'forged';

export interface SharedStoreOptions {
  address: SharedAddress;
  prefix: string;
  /** SHARED_SECRET with its former value; null for unsealed values. */
  secret?: Secret | null;
  onCall: ((op: string, outcome: StoreOutcome, ms: number) => void) | null;
  onFormer?: () => void;
  log: Logger;
}

/** How long the first commands wait for the connection, in ms, after the client was loaded. */
const FIRST_CONNECTION_MS = 500;
/** The time without an answer after which a connection is given up, in ms. */
const SILENCE_MS = 5_000;
/** SILENCE_MS for a reader's connection, whose commands may block. Each of them has its own limit. */
const READER_SILENCE_MS = 60_000;
const BEAT_EVERY_MS = 250;
const PROBE_EVERY_MS = 1_000;
const PROBE_LIMIT_MS = 500;
const PROBE = 'probe';
const LOGGED_AFTER_MS = 1_000;
/**
 * The store counts as up again after this time without a refused write, in ms. One accepted write is not
 * enough: a full store accepts some when keys expire. Within this time each replica writes its report.
 */
const ACCEPTS_FOR_MS = 6_000;
const REFUSES_WRITES = /^(?:OOM|READONLY|MISCONF|NOREPLICAS|NOPERM)\b/;
const NO_SCRIPT = /^NOSCRIPT\b/;
const READS: ReadonlySet<string> = new Set(['GET', 'MGET', 'SMEMBERS', 'PING', 'INFO', 'XREAD', 'XRANGE']);

/**
 * The shared store. A command without an answer in time rejects, and the caller continues alone. After five
 * consecutive failures the store is skipped for a second.
 */
export class SharedStore implements Seal {
  readonly #options: SharedStoreOptions;
  readonly seal: Seal['seal'];
  readonly open: Seal['open'];
  readonly #where: string;
  readonly #works: Condition;
  readonly #pause = new FailurePause();
  readonly #listeners: (() => void)[] = [];
  readonly #readers = new Set<SharedReader>();
  readonly #client = import('./redis-client.ts').then(({ createRedis }) => createRedis);
  readonly #firstConnection = Promise.withResolvers<void>();
  readonly #examination = Promise.withResolvers<void>();
  #redis: Redis | null = null;
  /** Whether the store answers. A hung server accepts connections without answering. */
  #isAnswering = false;
  #isStopped = false;
  #isUsable = true;
  #wasExamined = false;
  #isForgeryLogged = false;
  #lastError = 'there is no connection yet';
  /** The last refused write, and the command whose success ends it; null while writes are accepted. */
  #refusal: { readonly reason: string; readonly endedBy: string; readonly at: number } | null = null;
  #probedAt = Number.NEGATIVE_INFINITY;
  #upkeep: NodeJS.Timeout | undefined;

  constructor(options: SharedStoreOptions) {
    this.#options = options;
    const { address, secret = null, onFormer, log } = options;
    this.#where = shownAddress(address);
    const { seal, open } = createSeal(secret, place => this.#refuseForgery(place), onFormer);
    this.seal = seal;
    this.open = open;
    this.#works = new Condition(log, {
      code: 'shared-store',
      down: 'shared store: down, so this replica asks the CMS itself; pages are answered as before',
      up: 'shared store: up, and replicas share content again',
      afterMs: LOGGED_AFTER_MS,
    });
    this.#examination.promise.catch(() => {});
    void this.#firstConnection.promise.then(() => this.#examination.resolve());
    void this.#client.then(create => {
      if (!this.#isStopped) this.#connect(create(address, SILENCE_MS));
    });
  }

  get isUp(): boolean {
    return this.state.isUp;
  }

  get state(): SharedStoreState {
    if (!this.#isUsable || !this.#isAnswering || this.#pause.isOpen)
      return { isUp: false, reason: this.#lastError };
    return this.#refusal ? { isUp: false, reason: this.#refusal.reason } : { isUp: true, reason: null };
  }

  /** Adds this site's prefix to a name (SHARED_PREFIX). */
  key(name: string): string {
    return this.#options.prefix + name;
  }

  async command<T = unknown>(name: string, args: readonly Argument[], options: CommandOptions): Promise<T> {
    await this.#firstConnection.promise;
    if (this.#isUsable && this.#pause.mayAsk()) return this.#send(name, args, options);
    this.#options.onCall?.(options.op, 'skipped', 0);
    throw new SharedStoreError('skipped', this.#lastError);
  }

  /** Opens a connection for blocking commands, such as XREAD, so that they delay no other command. */
  openReader(): SharedReader {
    const reader = openReader(this.#client.then(create => create(this.#options.address, READER_SILENCE_MS)));
    this.#readers.add(reader);
    return reader;
  }

  /** Calls back at the first answer on each connection. The store may have lost all its keys. */
  onConnected(listener: () => void): void {
    this.#listeners.push(listener);
    if (this.#isAnswering) listener();
  }

  /** Resolves when the store was examined. @throws ConfigError for an old version or a cluster node. */
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
      // Let the first commands fail now instead of waiting, because the store is unreachable.
      this.#firstConnection.resolve();
    });
    redis.on('error', (error: Error) => {
      this.#lastError = errorText(error);
    });
  }

  #keepUp(): void {
    const isFailing = this.#pause.isOpen || !this.#isAnswering;
    if (!isFailing) {
      const key = this.#options.prefix + PROBE;
      // Send a probe, because a store may hang while no command is sent. After a refused write, try a write.
      const [name, ...args] = this.#refusal ? ['SET', key, '', 'PX', PROBE_EVERY_MS] : ['GET', key];
      this.#send(String(name), args, { op: PROBE, limitMs: PROBE_LIMIT_MS }).catch(({ kind }) => {
        this.#isAnswering &&= kind !== 'late';
      });
    } else if (this.#redis?.status === 'ready' && performance.now() - this.#probedAt >= PROBE_EVERY_MS)
      void this.#probe();
    const { isUp, reason } = this.state;
    if (isUp) this.#works.up({ address: this.#where });
    else {
      const { remedy, news } = storeProblem(reason);
      this.#works.down({ address: this.#where, reason, remedy }, news);
    }
  }

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
      // Ignore the error here, because the state has the reason.
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
    // Fail the start with this error. After the start, an unusable store does not end the process.
    this.#examination.reject(new ConfigError([this.#lastError]));
  }

  #refuseForgery(place: string): void {
    const [kind = ''] = place.slice(this.#options.prefix.length).split(/[: ]/, 1);
    this.#options.onCall?.(kind, 'forged', 0);
    if (this.#isForgeryLogged) return;
    this.#isForgeryLogged = true;
    const remedy = 'give all replicas the same SHARED_SECRET; else find out who writes to the store';
    this.#options.log.error(
      { code: 'shared-value-forged', kind, remedy },
      'shared store: a value without a valid seal is ignored; further ones are only counted',
    );
  }

  #logConnected(facts: StoreFacts, ms: number): void {
    const { level = 'info', effect, remedy } = policyAdvice(facts) ?? {};
    const latencyMs = Math.round(ms * 100) / 100;
    const where = { address: this.#where, ...facts, latencyMs, prefix: this.#options.prefix };
    this.#options.log[level](
      { code: 'shared-store-connected', ...where, ...(remedy && { effect, remedy }) },
      'shared store: connected',
    );
  }

  async #send<T>(name: string, args: readonly Argument[], options: CommandOptions): Promise<T> {
    const { op, limitMs, asBytes } = options;
    const from = performance.now();
    const count = (outcome: StoreOutcome) => this.#options.onCall?.(op, outcome, performance.now() - from);
    try {
      if (this.#redis?.status !== 'ready') throw new SharedStoreError('unreachable', this.#lastError);
      const answer = await answerWithin<T>(this.#redis, name, args, limitMs, asBytes);
      if (op !== PROBE) this.#answered();
      if (this.#refusal?.endedBy === name && from - this.#refusal.at > ACCEPTS_FOR_MS) this.#refusal = null;
      count('answered');
      return answer;
    } catch (error) {
      // The cast is safe: `answerWithin` throws no other error.
      if (error instanceof SharedStoreError) {
        this.#noteFailure(name, error);
        count(error.kind);
      }
      throw error;
    }
  }

  #noteFailure(name: string, { kind, message }: SharedStoreError): void {
    if (kind === 'refused' && REFUSES_WRITES.test(message)) {
      // A full store still extends and removes keys, so only SET ends its refusal. Rights are per command.
      const endedBy = message.startsWith('NOPERM') ? name : 'SET';
      if (!READS.has(name)) this.#refusal = { reason: message, endedBy, at: performance.now() };
      this.#answered();
    } else if (!NO_SCRIPT.test(message)) {
      if (kind !== 'unreachable') this.#lastError = `${name}: ${message}`;
      this.#pause.failed();
    }
  }
}

function openReader(connecting: Promise<Redis>) {
  let isStopped = false;
  let lastError = 'there is no connection yet';
  void connecting.then(redis => {
    redis.on('error', (error: Error) => {
      lastError = errorText(error);
    });
    if (isStopped) redis.disconnect();
  });
  return {
    /**
     * Sends a command. A late answer ends the connection and opens a new one.
     * @throws SharedStoreError without an answer within the limit in ms.
     */
    async command<T = unknown>(name: string, args: readonly Argument[], limitMs: number): Promise<T> {
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
    stop(): void {
      isStopped = true;
      void connecting.then(redis => redis.disconnect());
    },
  };
}
