import type { DataStrategyFunction } from 'react-router-dom';
import type { PagePayload } from '../shared/payload/payload.ts';
import { nextPaint } from '../shared/ui/next-paint.ts';

/**
 * Creates the data strategy with which React Router runs a navigation. It waits for the next paint, so that the pressed
 * link can show its state, then loads the page's chunks and payload side by side. The signal ends a superseded navigation.
 *
 * @param loadMore loads what pages need beside their own chunk, unless it is there.
 * @param onMissingChunk gives the page to show when the real page's chunk cannot be loaded.
 */
export function createDataStrategy(
  loadMore: () => Promise<unknown>,
  onMissingChunk: (path: string) => PagePayload | Promise<PagePayload>,
): DataStrategyFunction {
  return async ({ request, matches }) => {
    await nextPaint();
    request.signal.throwIfAborted();
    const loading = matches.filter(match => match.shouldCallHandler());
    const more = loadMore().then(
      () => true,
      () => false,
    );
    const results = await Promise.all(
      loading.map(async match => {
        const result = await match.resolve();
        request.signal.throwIfAborted();
        // The loader rejects only when its signal is aborted, so any other error comes from the chunk.
        if (result.type === 'data' && (await more)) return [match.route.id, result];
        return [
          match.route.id,
          { type: 'data', result: await onMissingChunk(new URL(request.url).pathname) },
        ];
      }),
    );
    return Object.fromEntries(results);
  };
}
