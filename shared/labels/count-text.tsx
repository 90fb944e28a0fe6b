import type { PageCount } from './labels.ts';
import { useLabels } from './labels-context.ts';

/** A text with a number. Browsers that keep the server's markup need neither it nor the plural rules. */
export function CountText({ name, count }: { name: PageCount; count: number }): string {
  return useLabels().count(name, count);
}
