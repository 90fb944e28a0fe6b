import type { Response } from 'express';
import { scopeOf } from '../http/request-scope.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { ContentSource } from './collecting-reader.ts';
import { ContentReader } from './content-reader.ts';

/**
 * @param signal by default the request's.
 * @returns a content reader whose reads are counted by metrics and the request's trace.
 */
export function readerFor(
  { content, metrics }: { content: ContentSource; metrics: Metrics },
  res: Response,
  signal = scopeOf(res).signal,
): ContentReader {
  const { trace } = scopeOf(res);
  return new ContentReader(content, {
    signal,
    onEvent({ kind }) {
      trace.contentRead(kind);
      metrics.contentEvent(kind);
    },
  });
}
