import type { FormState } from '../../shared/forms/form-state.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';

/** The part of the cache in which an answer may be stored. */
export type Partition = 'positive' | 'negative';

/**
 * Decides whether an answer may be stored, and where. Only the answers to GET and HEAD without a visitor's form data are stored: a 200 in
 * the positive partition, a 404 or 410 in the negative one. The thanks for a message have no data of the visitor. The answers of a route whose middleware reads `from` are not stored.
 *
 * @param status the status of the page, whatever the status of its payload.
 * @param route the matching route, or null.
 * @returns the partition; null for an answer that may not be stored.
 */
export function partitionOf(
  method: string,
  { formState }: { formState: FormState | null },
  status: number,
  route: Pick<RouteDefinition, 'readsFrom'> | null = null,
): Partition | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  if ((formState !== null && formState.status !== 'sent') || route?.readsFrom) return null;
  if (status === 200) return 'positive';
  return status === 404 || status === 410 ? 'negative' : null;
}
