import type { FormState } from '../../shared/forms/form-state.ts';

/** The part of the cache in which an answer may be stored. */
export type Partition = 'positive' | 'negative';

/**
 * An allow-list of the answers that may be stored: a page or payload that was asked for with GET or HEAD, that holds nothing of one visitor's,
 * and that is a 200, or for a short time a 404.
 *
 * @param status the status of the page, whatever the status of its payload.
 * @returns the partition; null for an answer that may not be stored.
 */
export function partitionOf(
  method: string,
  request: { formState: FormState | null },
  status: number,
): Partition | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (request.formState !== null) return null;
  if (status === 200) return 'positive';
  return status === 404 ? 'negative' : null;
}
