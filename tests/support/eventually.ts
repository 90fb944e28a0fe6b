/** How often a condition is looked at, in ms. */
const INTERVAL_MS = 10;

/**
 * Tries a check again and again until it passes: what a test waits for instead of a fixed time.
 *
 * @param check throws (an `expect` that fails) while the condition does not hold.
 * @param withinMs the deadline.
 * @returns what the check returned.
 * @throws the check's last error, when the deadline has passed.
 */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 5_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, INTERVAL_MS));
  }
}
