import type { PageCount } from './labels.ts';
import { useLabels } from './labels-context.ts';

/** A text with a number. React does not render this component where it keeps the server's markup. */
export function CountText({ name, count }: { name: PageCount; count: number }): string {
  return useLabels().count(name, count);
}
