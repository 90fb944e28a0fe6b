import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { isLater, type LogPosition } from '../cache/log-position.ts';
import type { Argument, SharedStore } from './shared-store.ts';

/** The state of a replica, as it has told the others: JSON. */
export type ReplicaState = Readonly<Record<string, unknown>> & {
  /** REPLICA_ID. */
  readonly replica: string | null;
  readonly host: string;
  /** Host and port of the ops port, as they are configured. */
  readonly ops: string;
  /** Whether it does what one replica does for all. */
  readonly leads: boolean;
  /** The last entry of the shared log that the replica has read and applied. */
  readonly logPosition: LogPosition;
  /** True for a replica that has told nothing for 15 s, and has not said that it ends: it hangs, was killed, or does not reach the store. */
  readonly isMissing?: true;
};

/** The replicas that share a store. Each one tells the others of itself every five seconds. */
export interface Replicas {
  /** Begins to tell of this replica. */
  begin(): void;
  /** @returns the last state of each replica that has told of itself in the last hour and not ended since, this one included. @throws SharedStoreError. */
  list(): Promise<readonly ReplicaState[]>;
  /** Tells the others of this replica now, and not only with the next beat. Calls that come together are one. */
  tell(): void;
  /** Resolves when each replica has read the log of invalidations up to a position, or after half a second. A replica that is gone is waited for while its state lasts. */
  haveRead(position: LogPosition): Promise<void>;
  /** Tells that this replica is gone. Resolves when the store knows it, or cannot be told. */
  stop(): Promise<void>;
}

const BEAT_EVERY_MS = 5_000;
const LIFE_MS = 15_000;
/** How long a replica that has fallen silent is listed as missing, in ms. */
const MISSING_MS = 3_600_000;
const LIMIT_MS = 500;
/** The longest wait for other replicas, and the pause between two looks at them, in ms. */
const READ_WITHIN_MS = 500;
const LOOK_EVERY_MS = 20;
/** The set of names is kept longer than any name in it. */
const SET_LIFE_MS = 24 * 3_600_000;

/** @param describe returns the state of this replica. */
export function createReplicas(store: SharedStore, describe: () => ReplicaState): Replicas {
  const id = `${os.hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const names = store.key('replicas');
  const keyOf = (name: string) => store.key(`replica:${name}`);
  /** The key of the state that outlives a replica which falls silent. */
  const lastKeyOf = (name: string) => store.key(`replica-last:${name}`);
  const send = <T>(name: string, ...args: Argument[]) =>
    store.command<T>(name, args, { op: 'beat', limitMs: LIMIT_MS });
  let timer: NodeJS.Timeout | undefined;
  let isTelling = false;
  let isDue = false;
  let isStopped = false;
  /** A state that was told after the end would stay for its life. */
  const state = () => JSON.stringify({ ...describe(), toldAt: new Date().toISOString() });
  const write = (key: string, lifeMs: number) => send('SET', key, store.seal(key, state()), 'PX', lifeMs);

  async function beat(): Promise<void> {
    if (isStopped) return;
    // A failure is a state of the store, which its own lines tell of.
    await Promise.allSettled([
      write(keyOf(id), LIFE_MS),
      write(lastKeyOf(id), MISSING_MS),
      send('SADD', names, id),
      send('PEXPIRE', names, SET_LIFE_MS),
    ]);
  }

  async function tellAll(): Promise<void> {
    if (isTelling) return;
    isTelling = true;
    while (isDue && !isStopped) {
      isDue = false;
      await write(keyOf(id), LIFE_MS).catch(() => {});
    }
    isTelling = false;
  }

  async function list(): Promise<readonly ReplicaState[]> {
    const found = await send<string[]>('SMEMBERS', names);
    if (found.length === 0) return [];
    const keys = [...found.map(keyOf), ...found.map(lastKeyOf)];
    const sealed = await send<(string | null)[]>('MGET', ...keys);
    const states = keys.map((key, index) => store.open(key, sealed[index] ?? null)?.toString());
    const lastStates = states.splice(found.length);
    const gone = found.filter((_, index) => !states[index] && !lastStates[index]);
    if (gone.length > 0) await send('SREM', names, ...gone);
    return found.flatMap((_, index) => {
      const [now, last] = [states[index], lastStates[index]];
      if (now) return [JSON.parse(now) as ReplicaState];
      return last ? [{ ...(JSON.parse(last) as ReplicaState), isMissing: true as const }] : [];
    });
  }

  return {
    begin() {
      store.onConnected(() => void beat());
      timer = setInterval(() => void beat(), BEAT_EVERY_MS);
      timer.unref();
    },
    list,
    tell() {
      isDue = true;
      void tellAll();
    },
    async haveRead(position) {
      const deadline = performance.now() + READ_WITHIN_MS;
      while (performance.now() < deadline) {
        // A store that does not work tells of no replica, so none is waited for.
        const states = await list().catch(() => []);
        if (!states.some(one => !one.isMissing && isLater(position, one.logPosition))) return;
        await delay(LOOK_EVERY_MS, undefined, { ref: false });
      }
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.allSettled([send('DEL', keyOf(id), lastKeyOf(id)), send('SREM', names, id)]);
    },
  };
}
