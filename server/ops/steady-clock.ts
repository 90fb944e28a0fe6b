/** @returns ms since the epoch by a clock that never jumps. `Date.now()` is for times that people read. */
export function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
