import type { Response } from 'express';
import { scopeOf } from '../http/request-scope.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { ContentSource } from './collecting-reader.ts';
import { ContentReader } from './content-reader.ts';

/** @returns a content reader under the request's signal. Metrics and the request's trace count its reads. */
export function readerFor(
  { content, metrics }: { content: ContentSource; metrics: Metrics },
  res: Response,
): ContentReader {
  const { signal, trace } = scopeOf(res);
  return new ContentReader(content, {
    signal,
    onEvent({ kind }) {
      trace.contentRead(kind);
      metrics.contentEvent(kind);
    },
  });
}
