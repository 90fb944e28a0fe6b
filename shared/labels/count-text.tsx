import type { PageCount } from './labels.ts';
import { useLabels } from './labels-context.ts';

/** A text that depends on a number. An element of its own, so that a browser that keeps the server's markup creates no plural rules. */
export function CountText({ name, count }: { name: PageCount; count: number }): string {
  return useLabels().count(name, count);
}
