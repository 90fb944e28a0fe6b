import type { DataStrategyFunction } from 'react-router-dom';
import { NAVIGATION_DELAY_MS } from '../shared/constants.ts';
import type { PagePayload } from '../shared/payload/payload.ts';

/**
 * How React Router runs a navigation here: it waits for the next paint, so that the pressed link can show its state, then
 * loads the page's chunk and its payload side by side. A superseded navigation ends with its signal.
 *
 * @param onMissingChunk what is shown in the place of a page whose chunk cannot be loaded.
 */
export function createDataStrategy(
  onMissingChunk: (path: string) => PagePayload | Promise<PagePayload>,
): DataStrategyFunction {
  return async ({ request, matches }) => {
    await nextPaint();
    request.signal.throwIfAborted();
    const loading = matches.filter(match => match.shouldCallHandler());
    const results = await Promise.all(
      loading.map(async match => {
        const result = await match.resolve();
        request.signal.throwIfAborted();
        // The loader itself rejects for nothing but its signal.
        if (result.type === 'data') return [match.route.id, result];
        return [
          match.route.id,
          { type: 'data', result: await onMissingChunk(new URL(request.url).pathname) },
        ];
      }),
    );
    return Object.fromEntries(results);
  };
}

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
