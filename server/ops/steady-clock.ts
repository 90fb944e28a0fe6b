/**
 * The clock by which ages and pauses are measured, in ms since the epoch: the time of the system at the start of the process, and the time
 * that has passed since by a clock that never jumps. `Date.now()` is for what people read, such as the log.
 */
export function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
