import type { Response } from 'express';
import { scopeOf } from '../http/request-scope.ts';
import type { Site } from '../site.ts';
import { ContentReader } from './content-reader.ts';

/** @returns a reader under the request's signal that leaves its cache events in the request's scope. */
export function readerFor({ content }: Site, res: Response): ContentReader {
  const scope = scopeOf(res);
  return new ContentReader(content, {
    signal: scope.signal,
    onEvent: ({ kind }) => {
      scope.cacheEvents[kind] = (scope.cacheEvents[kind] ?? 0) + 1;
    },
  });
}
