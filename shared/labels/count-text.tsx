import type { PageCount } from './labels.ts';
import { useLabels } from './labels-context.ts';

/** A text with a number. A browser that keeps the server's markup does not render it or need plural rules. */
export function CountText({ name, count }: { name: PageCount; count: number }): string {
  return useLabels().count(name, count);
}
