/** Time between the first signal and the cut-off of open requests, in ms, with a shutdown delay as the image sets it. */
const CUT_OFF_MS = 8_000;
/** The time that open requests have at least after a longer shutdown delay, in ms. */
const LEAST_DRAIN_MS = 4_000;
/** Time between the cut-off and the end of the process, in ms. */
const LAST_WORK_MS = 800;

/** Times of a shutdown, in ms after the first signal. */
export interface ShutdownLimits {
  /** When open requests are cut off. */
  cutOffMs: number;
  /** When the process ends, whatever is left to do. The next process repeats the delivery of messages. */
  endMs: number;
}

/**
 * @param delayMs SHUTDOWN_DELAY_MS.
 * @returns the limits. Container runtimes kill a process ten seconds after SIGTERM, so a delay of up to four seconds ends within nine.
 */
export function shutdownLimits(delayMs: number): ShutdownLimits {
  const cutOffMs = Math.max(CUT_OFF_MS, delayMs + LEAST_DRAIN_MS);
  return { cutOffMs, endMs: cutOffMs + LAST_WORK_MS };
}
