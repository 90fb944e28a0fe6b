import type { Response } from 'express';
import { scopeOf } from '../../http/request/request-scope.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';
import type { ContentReader, OpenReader } from './content-reader.ts';

export interface ReaderParts {
  readonly content: { readonly openReader: OpenReader };
  readonly metrics: Metrics;
}

/** @returns a content reader that counts its reads in metrics and in the request's trace. */
export function readerFor(
  { content, metrics }: ReaderParts,
  res: Response,
  signal = scopeOf(res).signal,
): ContentReader {
  const { trace } = scopeOf(res);
  return content.openReader({
    signal,
    onEvent(event) {
      trace.contentRead(event);
      metrics.count('site_content_reads_total', event);
    },
  });
}
