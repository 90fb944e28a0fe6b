/**
 * A place in the log of invalidations that replicas share: the id of an entry of a Redis stream. Redis alone generates these ids, each one later
 * than all before it, so no clock of a replica matters. Places in the memory of one process are numbers (`InvalidationLog.mark`): the two
 * are never compared.
 */
export type LogPosition = `${number}-${number}`;

/** The place before the first entry. */
export const LOG_BEGIN: LogPosition = '0-0';

const POSITION = /^(\d{1,16})-(\d{1,20})$/;

/** @returns a text as a position; null for another text. */
export function logPositionOf(text: unknown): LogPosition | null {
  return typeof text === 'string' && POSITION.test(text) ? (text as LogPosition) : null;
}

/** @returns whether a position is later than another one. */
export function isLater(one: LogPosition, other: LogPosition): boolean {
  const [ms, sequence] = partsOf(one);
  const [otherMs, otherSequence] = partsOf(other);
  return ms === otherMs ? sequence > otherSequence : ms > otherMs;
}

/** @returns the later one of two positions. */
export function laterOf(one: LogPosition, other: LogPosition): LogPosition {
  return isLater(other, one) ? other : one;
}

/** @returns the time of the Redis server at which an entry was added, in ms since the epoch. */
export function timeOfPosition(position: LogPosition): number {
  return Number(partsOf(position)[0]);
}

function partsOf(position: LogPosition): readonly [ms: bigint, sequence: bigint] {
  const [, ms = '0', sequence = '0'] = POSITION.exec(position) ?? [];
  return [BigInt(ms), BigInt(sequence)];
}
