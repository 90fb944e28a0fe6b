import type { DataStrategyFunction } from 'react-router-dom';
import { NAVIGATION_DELAY_MS } from '../shared/constants.ts';
import type { PagePayload } from '../shared/payload/payload.ts';

/**
 * Creates the data strategy with which React Router runs a navigation. It waits for the next paint, so that the pressed
 * link can show its state, then loads the page's chunk and payload side by side. The signal ends a superseded navigation.
 *
 * @param onMissingChunk gives the page to show when the real page's chunk cannot be loaded.
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
        // The loader rejects only when its signal is aborted, so any other error comes from the chunk.
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

/** Resolves after the next paint, or after 100 ms: a hidden tab paints nothing. */
function nextPaint(): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, NAVIGATION_DELAY_MS);
    requestAnimationFrame(() => {
      // A message is delivered after the frame has been painted. A promise would resolve before it.
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
