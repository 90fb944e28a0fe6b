import { patient } from './patience.ts';

/** How often a condition is looked at, in ms. */
const INTERVAL_MS = 10;

/**
 * Tries a check again and again until it passes. Tests wait for conditions by it, never for a fixed time.
 *
 * @param check throws (an `expect` that fails) while the condition does not hold.
 * @param withinMs the time limit on an idle machine.
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
