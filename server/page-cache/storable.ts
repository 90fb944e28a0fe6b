import type { FormState } from '../../shared/forms/form-state.ts';

/** Where an answer may be kept. */
export type Shelf = 'pages' | 'absent';

/**
 * Whether an answer may be stored, and where: an allow-list. A page or payload that was asked for with GET or HEAD, without
 * anything of one visitor's in it, that is a 200; a 404 briefly, among its own.
 *
 * @param status what the page is, whatever the status of its payload.
 */
export function shelfOf(
  method: string,
  request: { formState: FormState | null },
  status: number,
): Shelf | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (request.formState !== null) return null;
  if (status === 200) return 'pages';
  return status === 404 ? 'absent' : null;
}
