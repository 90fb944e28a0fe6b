import {
  isLater,
  LOG_BEGIN,
  type LogPosition,
  logPositionOf,
  timeOfPosition,
} from '../cache/log-position.ts';
import type { Seal } from '../shared-state/seal.ts';
import type { Argument } from '../shared-state/shared-store.ts';

/** Sends one command to the store. @throws Error without an answer within the limit in ms, or with an error for an answer. */
export type SendCommand = (name: string, args: readonly Argument[], limitMs: number) => Promise<unknown>;

/** An entry of the shared log. */
export interface LoggedPurge {
  readonly position: LogPosition;
  /** The process that has added it. */
  readonly by: string;
  /** The number of the entry among those of that process. */
  readonly number: number;
  /** The events, as `encodeEvents` writes them; nothing for an entry that no replica has written. */
  readonly events: string;
}

/** A name whose content was removed. */
export interface Removal {
  readonly name: string;
  readonly position: LogPosition;
}

/** The shared log in Redis: a stream, and a sorted set of what was removed, by the time of the removal. */
export interface PurgeStore {
  /** Adds an entry, and notes names as removed with it. Both happen, or neither does. @returns its position. */
  append(entry: Omit<LoggedPurge, 'position'>, removed: readonly string[]): Promise<LogPosition>;
  /** @returns the entries after a position, oldest first, at most a few hundred. Waits for the first of them for `waitMs`. */
  read(after: LogPosition, waitMs: number): Promise<readonly LoggedPurge[]>;
  /**
   * Whether the log still has all that came after a position: `whole`. `behind`: the log was trimmed meanwhile. `lost`: it is another log, because
   * the store was emptied, or restored from an earlier time.
   */
  compare(position: LogPosition): Promise<'whole' | 'behind' | 'lost'>;
  /** @returns the names that were removed, each with the last position that its removal may have. */
  removals(): Promise<readonly Removal[]>;
}

export interface PurgeStoreOptions {
  /** A connection on which reads may block. */
  read: SendCommand;
  write: SendCommand;
  /** The keys of the stream and of the set. */
  keys: { readonly log: string; readonly removed: string };
  /** How long an entry is kept, in ms: as long as pages may be stale. */
  keptMs: number;
  /** Proves entries and removed names. */
  seal: Seal;
}

const LIMIT_MS = 2_000;
/** The last number that Redis gives to an entry of one millisecond: the set has times, and no numbers. */
const LAST_OF_MS = '18446744073709551615';
/** Most entries that are read at once. */
const READ_AT_ONCE = 500;
/** Beyond so many entries the oldest are forgotten, however young they are. A process that has not read them makes everything stale. */
export const MAX_ENTRIES = 100_000;

/** The time is that of the store, so that the clocks of replicas do not matter. */
const APPEND = `
local time = redis.call('TIME')
local oldest = string.format('%.0f', time[1] * 1000 - ARGV[1])
local id = redis.call('XADD', KEYS[1], 'MINID', '~', oldest, '*', 'by', ARGV[2], 'number', ARGV[3], 'events', ARGV[4])
redis.call('XTRIM', KEYS[1], 'MAXLEN', '~', ${MAX_ENTRIES})
if #ARGV > 4 then
  local ms = string.match(id, '^%d+')
  for at = 5, #ARGV do redis.call('ZADD', KEYS[2], ms, ARGV[at]) end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', oldest)
end
return id`;

/** @returns the shared log of a store. */
export function createPurgeStore({ read, write, keys, keptMs, seal }: PurgeStoreOptions): PurgeStore {
  const placeOf = (by: string, number: number) => `${keys.log} ${by} ${number}`;

  function loggedPurge(entry: unknown): LoggedPurge | null {
    const [id, fields] = listOf(entry);
    const position = logPositionOf(id);
    if (position === null) return null;
    const values = listOf(fields).map(String);
    const textOf = (name: string) => values[values.indexOf(name) + 1] ?? '';
    const [by, number] = [textOf('by'), Number(textOf('number'))];
    const events = seal.open(placeOf(by, number), textOf('events'))?.toString() ?? '';
    return { position, by, number, events };
  }

  async function lastGenerated(): Promise<LogPosition> {
    try {
      const facts = listOf(await read('XINFO', ['STREAM', keys.log], LIMIT_MS));
      return logPositionOf(facts[facts.indexOf('last-generated-id') + 1]) ?? LOG_BEGIN;
    } catch (error) {
      if (/no such key/i.test(String(error))) return LOG_BEGIN;
      throw error;
    }
  }

  return {
    async append({ by, number, events }, removed) {
      const sealed = seal.seal(placeOf(by, number), events);
      const names = removed.map(name => seal.seal(keys.removed, name));
      const args = [APPEND, 2, keys.log, keys.removed, keptMs, by, number, sealed, ...names];
      const position = logPositionOf(await write('EVAL', args, LIMIT_MS));
      if (position === null) throw new Error('XADD has returned no position');
      return position;
    },
    async read(after, waitMs) {
      const block = waitMs > 0 ? ['BLOCK', waitMs] : [];
      const args = ['COUNT', READ_AT_ONCE, ...block, 'STREAMS', keys.log, after];
      const [stream] = listOf(await read('XREAD', args, waitMs + LIMIT_MS));
      return listOf(listOf(stream)[1]).flatMap(entry => loggedPurge(entry) ?? []);
    },
    async compare(position) {
      if (position === LOG_BEGIN) return 'whole';
      const last = await lastGenerated();
      if (last === position) return 'whole';
      if (isLater(position, last)) return 'lost';
      const found = listOf(await read('XRANGE', [keys.log, position, position], LIMIT_MS));
      if (found.length > 0) return 'whole';
      return timeOfPosition(last) - timeOfPosition(position) > keptMs ? 'behind' : 'lost';
    },
    async removals() {
      const range = [keys.removed, '-inf', '+inf', 'WITHSCORES'];
      const found = listOf(await read('ZRANGEBYSCORE', range, LIMIT_MS)).map(String);
      return found.flatMap((sealed, at) => {
        const position = at % 2 === 0 ? logPositionOf(`${found[at + 1]}-${LAST_OF_MS}`) : null;
        const name = position && seal.open(keys.removed, sealed);
        return position && name ? [{ name: name.toString(), position }] : [];
      });
    },
  };
}

function listOf(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}
