import { hash, randomUUID } from 'node:crypto';
import type { SharedRecord, SharedTier } from '../cache/shared-tier.ts';
import { logPositionOf } from '../cache/tags/log-position.ts';
import type { Config } from '../config/config.ts';
import { CONTENT_FORMAT, type ContentRecord, contentRecordCodec } from '../content/store/content-record.ts';
import type { Logger } from '../ops/log.ts';
import { Claim } from './claim.ts';
import type { SharedStore } from './shared-store.ts';

/** How long a visitor waits for a record or a lock, in ms. */
const READ_LIMIT_MS = 50;
const WRITE_LIMIT_MS = 500;
const LOCK_LIFE_MS = 3_000;
const NEWLINE = 10;

/**
 * Shares the backend's responses among processes with the same credentials, of any build. A stored value
 * begins with the record's position in the shared log and a line end. The record follows, as on disk.
 * @param isCurrent whether this process has read the invalidation log to its end.
 */
export function createSharedContent(
  store: SharedStore,
  isCurrent: () => boolean,
  config: Pick<Config, 'contentToken' | 'contentHeaders'>,
  log: Logger,
): SharedTier<ContentRecord> {
  const credentials = JSON.stringify([config.contentToken, config.contentHeaders]);
  const name = `content:${CONTENT_FORMAT}:${hash('sha256', credentials).slice(0, 8)}`;
  const token = randomUUID();
  const keyOf = (key: string) => store.key(`${name}:${hash('sha256', key).slice(0, 32)}`);
  const lockOf = (key: string) => store.key(`lock:${name}:${hash('sha256', key).slice(0, 32)}`);
  /** Ignore errors here, because the store's state and metrics report them. */
  const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);

  function decoded(key: string, bytes: Buffer): SharedRecord<ContentRecord> | null {
    try {
      const end = bytes.indexOf(NEWLINE);
      const position = logPositionOf(bytes.toString('latin1', 0, end));
      if (position === null) throw new Error('The record does not begin with a position');
      return { record: contentRecordCodec.decode(bytes.subarray(end + 1)), position };
    } catch (error) {
      log.warn(
        { code: 'shared-record-undecodable', err: error, key },
        'shared store: a record cannot be decoded and is ignored',
      );
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
      const value = Buffer.concat([Buffer.from(`${position}\n`), contentRecordCodec.encode(record)]);
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
      const get = { op: 'lock', limitMs: READ_LIMIT_MS };
      const end = { op: 'release', limitMs: WRITE_LIMIT_MS };
      const claim = new Claim(
        (name, args) => store.command(name, args, name === 'SET' ? get : end),
        lockOf(key),
        token,
      );
      try {
        if (!(await claim.get(LOCK_LIFE_MS))) return null;
      } catch {
        // Without locks each process generates for itself.
        return async () => {};
      }
      return () => claim.release();
    },
  };
}
