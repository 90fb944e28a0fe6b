/**
 * A position in the replicas' shared log: the id of an entry in a Redis stream. Redis orders the ids, so
 * clocks do not matter. Positions and `InvalidationLog.mark` are not comparable.
 */
export type LogPosition = `${number}-${number}`;

export const LOG_BEGIN: LogPosition = '0-0';
/** Stands for the position of an entry that Redis has not acknowledged yet. */
export const LOG_END: LogPosition = '9999999999999999-0';

const POSITION = /^(\d{1,16})-(\d{1,20})$/;

export function logPositionOf(text: unknown): LogPosition | null {
  return typeof text === 'string' && POSITION.test(text) ? (text as LogPosition) : null;
}

export function isLater(one: LogPosition, other: LogPosition): boolean {
  const [ms, sequence] = partsOf(one);
  const [otherMs, otherSequence] = partsOf(other);
  return ms === otherMs ? sequence > otherSequence : ms > otherMs;
}

export function laterOf(one: LogPosition, other: LogPosition): LogPosition {
  return isLater(other, one) ? other : one;
}

/** @returns the time of the Redis server, in ms since the epoch. */
export function timeOfPosition(position: LogPosition): number {
  return Number(partsOf(position)[0]);
}

function partsOf(position: LogPosition): readonly [ms: bigint, sequence: bigint] {
  const [, ms = '0', sequence = '0'] = POSITION.exec(position) ?? [];
  return [BigInt(ms), BigInt(sequence)];
}
