/** In ms since the epoch, for ages and pauses: it never jumps. `Date.now()` is for what people read. */
export function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
