import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { ContentReader, ContentSource } from '../content/content-reader.ts';
import type { Logger } from '../ops/log.ts';

/** A failed load is not tried again for this long, in ms: pages must not wait for it one after the other. */
const RETRY_AFTER_MS = 1_000;

const failedAt = new WeakMap<ContentSource, number>();

/**
 * @param source the site's content; failures are remembered for each source.
 * @returns the redirects; null when they cannot be loaded. A page without redirects is better than no page.
 * @throws the signal's reason when it is aborted.
 */
export async function redirectTable(
  source: ContentSource,
  { reader, log, signal }: { reader: ContentReader; log: Logger; signal: AbortSignal },
): Promise<RedirectTable | null> {
  if (Date.now() - (failedAt.get(source) ?? 0) < RETRY_AFTER_MS) return null;
  try {
    return await reader.redirects();
  } catch (error) {
    if (signal.aborted) throw error;
    failedAt.set(source, Date.now());
    log.warn({ err: error }, 'redirects could not be loaded');
    return null;
  }
}
