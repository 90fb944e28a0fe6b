import { createHash, randomUUID } from 'node:crypto';
import type { RecordCodec } from '../cache/disk-tier.ts';
import { logPositionOf } from '../cache/log-position.ts';
import type { SharedRecord, SharedTier } from '../cache/shared-tier.ts';
import type { Logger } from '../ops/log.ts';
import type { SharedStore } from './shared-store.ts';

export interface SharedRecordsOptions<R> {
  store: Pick<SharedStore, 'command' | 'key' | 'seal' | 'open'>;
  /** The beginning of the keys, after the store's own prefix. Records of another form have another one. */
  name: string;
  codec: RecordCodec<R>;
  /** Whether this process has read the log of invalidations to its end. */
  isCurrent: () => boolean;
  log: Logger;
}

/** How long a visitor waits for a record or for a reservation, in ms. */
const READ_LIMIT_MS = 50;
/** The time limit of everything else, in ms. */
const WRITE_LIMIT_MS = 500;
/** A reservation whose process has died ends after this time, in ms. */
const LOCK_LIFE_MS = 3_000;
/** Deletes a key if it has a value: a reservation that has ended may belong to another process by now. */
const DELETE_IF_EQUAL = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;
const NEWLINE = 10;

/** @returns records in the shared store: each is its position in the log of invalidations, a line end, and the record as the disk has it. */
export function createSharedRecords<R>({
  store,
  name,
  codec,
  isCurrent,
  log,
}: SharedRecordsOptions<R>): SharedTier<R> {
  const token = randomUUID();
  const hashOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32);
  const keyOf = (key: string) => store.key(`${name}:${hashOf(key)}`);
  const lockOf = (key: string) => store.key(`lock:${name}:${hashOf(key)}`);
  /** The state of the store and the metrics tell of a failure. */
  const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);

  function decoded(key: string, bytes: Buffer): SharedRecord<R> | null {
    try {
      const end = bytes.indexOf(NEWLINE);
      const position = logPositionOf(bytes.toString('latin1', 0, end));
      if (position === null) throw new Error('The record does not begin with a position');
      return { record: codec.decode(bytes.subarray(end + 1)), position };
    } catch (error) {
      log.warn({ err: error, key }, 'shared store: a record cannot be decoded and counts as absent');
      return null;
    }
  }

  async function written(key: string, value: Buffer, ...options: (string | number)[]): Promise<unknown> {
    const arguments_ = [key, store.seal(key, value), ...options];
    return orNull(store.command('SET', arguments_, { op: 'put', limitMs: WRITE_LIMIT_MS }));
  }

  return {
    get isCurrent() {
      return isCurrent();
    },
    async get(key) {
      const options = { op: 'get', limitMs: READ_LIMIT_MS, asBytes: true };
      const sealed = await orNull(store.command<Buffer | null>('GET', [keyOf(key)], options));
      const bytes = store.open(keyOf(key), sealed);
      return bytes === null ? null : decoded(key, bytes);
    },

    async put(key, { record, position }, { lifeMs, keepsLife = false }) {
      const value = Buffer.concat([Buffer.from(`${position}\n`), codec.encode(record)]);
      if (keepsLife && (await written(keyOf(key), value, 'XX', 'KEEPTTL')) !== null) return;
      await written(keyOf(key), value, 'PX', lifeMs);
    },

    async extend(keys, lifeMs) {
      await Promise.all(
        keys.map(key =>
          orNull(store.command('PEXPIRE', [keyOf(key), lifeMs], { op: 'extend', limitMs: WRITE_LIMIT_MS })),
        ),
      );
    },

    async remove(keys) {
      if (keys.length === 0) return;
      await orNull(store.command('DEL', keys.map(keyOf), { op: 'remove', limitMs: WRITE_LIMIT_MS }));
    },

    async lock(key) {
      const arguments_ = [lockOf(key), token, 'NX', 'PX', LOCK_LIFE_MS];
      try {
        const answer = await store.command('SET', arguments_, { op: 'lock', limitMs: READ_LIMIT_MS });
        if (answer === null) return null;
      } catch {
        // Without reservations each process generates for itself.
        return async () => {};
      }
      return async () => {
        const release = { op: 'release', limitMs: WRITE_LIMIT_MS };
        await orNull(store.command('EVAL', [DELETE_IF_EQUAL, 1, lockOf(key), token], release));
      };
    },
  };
}
