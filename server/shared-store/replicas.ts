import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { isLater, type LogPosition } from '../cache/tags/log-position.ts';
import type { SharedStore } from './shared-store.ts';
import type { Argument } from './store-command.ts';

type ReplicaState = Readonly<Record<string, unknown>> & {
  readonly replica: string | null;
  readonly host: string;
  /** The configured address (host:port) of the ops server. */
  readonly ops: string;
  readonly leads: boolean;
  /** The last entry of the shared log that the replica has applied. */
  readonly logPosition: LogPosition;
  /** Set if the replica has been silent for 15 s without ending: it hangs, or has no connection. */
  readonly isMissing?: true;
};

const BEAT_EVERY_MS = 5_000;
const LIFE_MS = 15_000;
const MISSING_MS = 3_600_000;
const LIMIT_MS = 500;
/** The longest wait for other replicas, and the pause between two reads of their states, in ms. */
const READ_WITHIN_MS = 500;
const LOOK_EVERY_MS = 20;
/** The lifetime of the set of replicas' names, longer than that of each replica's state. */
const SET_LIFE_MS = 24 * 3_600_000;

/** The replicas of a store. Others see this one after `begin`. */
export class Replicas {
  readonly #store: SharedStore;
  readonly #id = `${os.hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  readonly #names: string;
  #describe: (() => ReplicaState) | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Prevents a write after the end. The written state would stay in the store until it expires. */
  #isStopped = false;

  constructor(store: SharedStore) {
    this.#store = store;
    this.#names = store.key('replicas');
  }

  describe(state: () => ReplicaState): void {
    this.#describe = state;
  }

  begin(): void {
    this.#store.onConnected(() => void this.#beat());
    this.#timer = setInterval(() => void this.#beat(), BEAT_EVERY_MS).unref();
  }

  /**
   * @returns the last state of each replica of the last hour, except of those that have ended or were
   * replaced. @throws SharedStoreError
   */
  async list(): Promise<readonly ReplicaState[]> {
    const found = await this.#send<string[]>('SMEMBERS', this.#names);
    if (found.length === 0) return [];
    const keys = [false, true].flatMap(isLast => found.map(name => this.#keyOf(name, isLast)));
    const sealed = await this.#send<(string | null)[]>('MGET', ...keys);
    const states = keys.map((key, index) => this.#store.open(key, sealed[index] ?? null)?.toString());
    const lastStates = states.splice(found.length);
    // While the store takes no reports, silence says nothing about a replica.
    const silent = this.#store.isUp ? { isMissing: true as const } : {};
    const all = found.flatMap((name, index) => {
      const [now, last] = [states[index], lastStates[index]];
      if (now) return [{ name, state: JSON.parse(now) as ReplicaState }];
      return last ? [{ name, state: { ...(JSON.parse(last) as ReplicaState), ...silent } }] : [];
    });
    const present = new Set(all.flatMap(({ state }) => (state.isMissing ? [] : placeOf(state))));
    const isReplaced = ({ state }: (typeof all)[number]) => state.isMissing && present.has(placeOf(state));
    // A replica with another secret is not listed, and keeps its name for those that can read its state.
    const gone = found.filter((_, index) => !sealed[index] && !sealed[found.length + index]);
    gone.push(...all.filter(isReplaced).map(({ name }) => name));
    if (gone.length > 0) await this.#send('SREM', this.#names, ...gone);
    return all.filter(one => !isReplaced(one)).map(({ state }) => state);
  }

  tell(): void {
    if (!this.#isStopped) this.#write(this.#keyOf(this.#id, false), LIFE_MS).catch(() => {});
  }

  /** Resolves when each replica has read the log up to a position, or after half a second. */
  async haveRead(position: LogPosition): Promise<void> {
    const deadline = performance.now() + READ_WITHIN_MS;
    while (performance.now() < deadline) {
      // Do not wait for replicas if the store does not answer.
      const states = await this.list().catch(() => []);
      if (!states.some(one => !one.isMissing && isLater(position, one.logPosition))) return;
      await delay(LOOK_EVERY_MS, undefined, { ref: false });
    }
  }

  /** Removes this replica from the store. Resolves even without a connection. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.allSettled([
      this.#send('DEL', this.#keyOf(this.#id, false), this.#keyOf(this.#id, true)),
      this.#send('SREM', this.#names, this.#id),
    ]);
  }

  async #beat(): Promise<void> {
    if (this.#isStopped) return;
    await Promise.allSettled([
      this.#write(this.#keyOf(this.#id, false), LIFE_MS),
      this.#write(this.#keyOf(this.#id, true), MISSING_MS),
      this.#send('SADD', this.#names, this.#id),
      this.#send('PEXPIRE', this.#names, SET_LIFE_MS),
    ]);
  }

  #keyOf(name: string, isLast: boolean): string {
    return this.#store.key(`${isLast ? 'replica-last' : 'replica'}:${name}`);
  }

  #write(key: string, lifeMs: number): Promise<unknown> {
    const state = JSON.stringify({ ...this.#describe?.(), toldAt: new Date().toISOString() });
    return this.#send('SET', key, this.#store.seal(key, state), 'PX', lifeMs);
  }

  #send<T>(name: string, ...args: Argument[]): Promise<T> {
    return this.#store.command<T>(name, args, { op: 'beat', limitMs: LIMIT_MS });
  }
}

/** @returns what identifies a replica, so that a process and the one that replaces it are equal. */
function placeOf({ replica, host, ops }: ReplicaState): string {
  return replica ?? `${host} ${ops}`;
}
