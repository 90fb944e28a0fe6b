import { NAVIGATION_DELAY_MS } from '../../constants.ts';

/** Resolves after the next paint, or after 100 ms, because a hidden tab paints nothing. */
export function nextPaint(): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, NAVIGATION_DELAY_MS);
    requestAnimationFrame(() => {
      // Use a message, which arrives after the paint. A promise would resolve earlier.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        clearTimeout(timer);
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
  });
}
