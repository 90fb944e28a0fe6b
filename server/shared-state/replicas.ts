import { randomUUID } from 'node:crypto';
import os from 'node:os';
import type { SharedStore } from './shared-store.ts';

/** The state of a replica, as it has told the others: JSON. */
export type ReplicaState = Readonly<Record<string, unknown>>;

/** The replicas that share a store. Each one tells the others of itself every five seconds. */
export interface Replicas {
  /** Begins to tell of this replica. */
  begin(): void;
  /** @returns the state of each replica that has told of itself in the last 15 s, this one included. @throws SharedStoreError. */
  list(): Promise<readonly ReplicaState[]>;
  /** Tells that this replica is gone. */
  stop(): void;
}

const BEAT_EVERY_MS = 5_000;
const LIFE_MS = 15_000;
const LIMIT_MS = 500;
/** The set of names is kept longer than any name in it. */
const SET_LIFE_MS = 24 * 3_600_000;

/** @param describe returns the state of this replica. */
export function createReplicas(store: SharedStore, describe: () => ReplicaState): Replicas {
  const id = `${os.hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const names = store.key('replicas');
  const keyOf = (name: string) => store.key(`replica:${name}`);
  const send = <T>(name: string, ...args: (string | number)[]) =>
    store.command<T>(name, args, { op: 'beat', limitMs: LIMIT_MS });
  let timer: NodeJS.Timeout | undefined;

  async function beat(): Promise<void> {
    // A failure is a state of the store, which its own lines tell of.
    await Promise.allSettled([
      send('SET', keyOf(id), JSON.stringify(describe()), 'PX', LIFE_MS),
      send('SADD', names, id),
      send('PEXPIRE', names, SET_LIFE_MS),
    ]);
  }

  return {
    begin() {
      store.onConnected(() => void beat());
      timer = setInterval(() => void beat(), BEAT_EVERY_MS);
      timer.unref();
    },
    async list() {
      const found = await send<string[]>('SMEMBERS', names);
      if (found.length === 0) return [];
      const states = await send<(string | null)[]>('MGET', ...found.map(keyOf));
      const gone = found.filter((_, index) => states[index] === null);
      if (gone.length > 0) await send('SREM', names, ...gone);
      return states.flatMap(state => (state === null ? [] : [JSON.parse(state) as ReplicaState]));
    },
    stop() {
      clearInterval(timer);
      void Promise.allSettled([send('DEL', keyOf(id)), send('SREM', names, id)]);
    },
  };
}
