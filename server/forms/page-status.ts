import type { FormState } from '../../shared/forms/form-state.ts';

/** @returns the HTTP status of a page that says what became of a form post. */
export function pageStatusOf({ status }: FormState): number {
  if (status === 'invalid') return 422;
  if (status === 'limited') return 429;
  return status === 'failed' ? 503 : 200;
}
