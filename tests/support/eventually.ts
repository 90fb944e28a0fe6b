import { patient } from './patience.ts';

/** Pause between two checks, in ms. */
const INTERVAL_MS = 10;

/**
 * Repeats a check until it passes. Tests use it to wait for a condition instead of a fixed time.
 * @param check throws while the condition does not hold, as a failed `expect` does
 * @param withinMs the time limit on an idle machine
 * @returns what the check returned.
 * @throws the check's last error, when the limit has passed.
 */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 10_000): Promise<T> {
  const deadline = performance.now() + patient(withinMs);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, INTERVAL_MS));
  }
}
