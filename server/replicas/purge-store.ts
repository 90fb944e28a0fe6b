import { LOG_BEGIN, type LogPosition, logPositionOf, timeOfPosition } from '../cache/tags/log-position.ts';
import type { Seal } from '../shared-store/seal.ts';
import type { Argument } from '../shared-store/store-command.ts';

/** @throws Error for an error response, or for no response within the limit in ms. */
export type SendCommand = (name: string, args: readonly Argument[], limitMs: number) => Promise<unknown>;

export interface LoggedPurge {
  readonly position: LogPosition;
  readonly by: string;
  /** The encoded events; empty for an entry that no replica has written. */
  readonly events: string;
}

/** A removed name with the latest possible position of its removal. */
export interface Removal {
  readonly name: string;
  readonly position: LogPosition;
}

interface PurgeStoreOptions {
  /** A connection for blocking reads. */
  read: SendCommand;
  write: SendCommand;
  keys: { readonly log: string; readonly removed: string };
  /** How long an entry is kept, in ms: as long as pages may be stale. */
  keptMs: number;
  seal: Seal;
}

const LIMIT_MS = 2_000;
/** The highest sequence number of an id. It turns a time from the sorted set into the latest possible id. */
const LAST_OF_MS = '18446744073709551615';
const READ_AT_ONCE = 500;
/** Limit for entries. Above it, the oldest are dropped at any age. */
const MAX_ENTRIES = 100_000;

/** Adds an entry by the store's clock, so that clocks of replicas do not matter. */
const APPEND = `
local time = redis.call('TIME')
local oldest = string.format('%.0f', time[1] * 1000 - ARGV[1])
local id = redis.call('XADD', KEYS[1], 'MINID', '~', oldest, '*', 'by', ARGV[2], 'events', ARGV[3])
redis.call('XTRIM', KEYS[1], 'MAXLEN', '~', ${MAX_ENTRIES})
if #ARGV > 3 then
  local ms = string.match(id, '^%d+')
  for at = 4, #ARGV do redis.call('ZADD', KEYS[2], ms, ARGV[at]) end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', oldest)
end
return id`;

/** Finds the position to continue from. The first replica that sees a loss adds an entry for all. */
const REJOIN = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last and string.match(last[1], '^%d+') - string.match(ARGV[1], '^%d+') > tonumber(ARGV[2]) then return last[1] end
local id
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. ARGV[1], '+')) do
  for at = 1, #entry[2], 2 do if entry[2][at] == 'lost' then id = id or entry[1] end end
end
id = id or redis.call('XADD', KEYS[1], '*', 'by', ARGV[3], 'events', ARGV[4], 'lost', '1')
for at = 5, #ARGV do redis.call('ZADD', KEYS[2], string.match(id, '^%d+'), ARGV[at]) end
return id`;

/** The shared log in Redis: a stream, and a sorted set of removed names by time. */
export class PurgeStore {
  readonly #options: PurgeStoreOptions;

  constructor(options: PurgeStoreOptions) {
    this.#options = options;
  }

  /** Adds an entry and its removed names, in one transaction. */
  append(by: string, events: string, removed: readonly string[]): Promise<LogPosition> {
    return this.#run(APPEND, [], by, events, removed);
  }

  /** Reads up to a few hundred entries, the oldest first. Waits up to `waitMs` for the first. */
  async read(after: LogPosition, waitMs: number): Promise<readonly LoggedPurge[]> {
    const block = waitMs > 0 ? ['BLOCK', waitMs] : [];
    const args = ['COUNT', READ_AT_ONCE, ...block, 'STREAMS', this.#options.keys.log, after];
    const [stream] = listOf(await this.#options.read('XREAD', args, waitMs + LIMIT_MS));
    return listOf(listOf(stream)[1]).flatMap(entry => this.#entryOf(entry) ?? []);
  }

  /** Whether the log still has this entry. Otherwise later entries may be missing too. */
  async has(position: LogPosition): Promise<boolean> {
    if (position === LOG_BEGIN) return true;
    return (
      listOf(await this.#options.read('XRANGE', [this.#options.keys.log, position, position], LIMIT_MS))
        .length > 0
    );
  }

  /** Finds the position after a lost entry. After a loss of the log, adds `events` once for all replicas. */
  rejoin(lost: LogPosition, by: string, events: string, removed: readonly string[]): Promise<LogPosition> {
    return this.#run(REJOIN, [lost], by, events, removed);
  }

  async removals(since: LogPosition): Promise<readonly Removal[]> {
    const key = this.#options.keys.removed;
    const range = [key, timeOfPosition(since), '+inf', 'WITHSCORES'];
    const found = listOf(await this.#options.read('ZRANGEBYSCORE', range, LIMIT_MS)).map(String);
    return found.flatMap((sealed, at) => {
      const position = at % 2 === 0 ? logPositionOf(`${found[at + 1]}-${LAST_OF_MS}`) : null;
      const name = position && this.#options.seal.open(key, sealed);
      return position && name ? [{ name: name.toString(), position }] : [];
    });
  }

  async #run(
    script: string,
    first: readonly string[],
    by: string,
    events: string,
    removed: readonly string[],
  ): Promise<LogPosition> {
    const { keys, keptMs, seal, write } = this.#options;
    const names = removed.map(name => seal.seal(keys.removed, name));
    const sealed = seal.seal(this.#placeOf(by), events);
    const args = [script, 2, keys.log, keys.removed, ...first, keptMs, by, sealed, ...names];
    const position = logPositionOf(await write('EVAL', args, LIMIT_MS));
    if (position === null) throw new Error('The log has returned no position');
    return position;
  }

  #placeOf(by: string): string {
    return `${this.#options.keys.log} ${by}`;
  }

  #entryOf(entry: unknown): LoggedPurge | null {
    const [id, fields] = listOf(entry);
    const position = logPositionOf(id);
    if (position === null) return null;
    const values = listOf(fields).map(String);
    const textOf = (name: string) => values[values.indexOf(name) + 1] ?? '';
    const by = textOf('by');
    const events = this.#options.seal.open(this.#placeOf(by), textOf('events'))?.toString() ?? '';
    return { position, by, events };
  }
}

function listOf(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}
