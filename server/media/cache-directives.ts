import type { IncomingHttpHeaders } from 'node:http';
import { BackendError } from '../errors.ts';

/** The origin of a medium forbids to store it. It can be passed on to one visitor alone. */
export class NotStorableError extends BackendError {
  constructor(mediaPath: string) {
    super('not-storable', `GET ${mediaPath}`, 'the origin forbids to store the file');
    this.name = 'NotStorableError';
  }
}

/**
 * @returns the directives of an answer that forbid to store it for all visitors (RFC 9111, 5.2.2.5 and 5.2.2.7), which every answer made
 *   of it has as well; null when it may be stored.
 */
export function refusedStorage(headers: IncomingHttpHeaders): string | null {
  const directives = (headers['cache-control'] ?? '')
    .split(',')
    .map(directive => (directive.split('=', 1)[0] ?? '').trim().toLowerCase());
  const refused = ['private', 'no-store'].filter(name => directives.includes(name));
  return refused.length > 0 ? refused.join(', ') : null;
}
