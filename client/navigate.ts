import type { DataStrategyFunction, DataStrategyResult } from 'react-router-dom';
import { NAVIGATION_DELAY_MS } from '../shared/constants.ts';

/**
 * How React Router runs a navigation here: it waits for the next paint, so that the pressed link can show its state, then
 * loads the page's chunk and its payload side by side. A superseded navigation ends with its signal.
 */
export const dataStrategy: DataStrategyFunction = async ({ request, matches }) => {
  await nextPaint();
  request.signal.throwIfAborted();
  const loading = matches.filter(match => match.shouldCallHandler());
  const results = await Promise.all(loading.map(match => match.resolve()));
  return Object.fromEntries(loading.map((match, index) => [match.route.id, results[index] as DataStrategyResult]));
};

/** Resolves after the next paint, and after 100 ms at the most: a hidden tab paints nothing. */
function nextPaint(): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, NAVIGATION_DELAY_MS);
    requestAnimationFrame(() => {
      // A message is delivered after the frame has been painted; a promise would resolve before.
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
