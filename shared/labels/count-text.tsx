import type { PageCount } from './labels.ts';
import { useLabels } from './labels-context.ts';

/** An element, so that a browser that keeps the server's markup creates no plural rules. */
export function CountText({ name, count }: { name: PageCount; count: number }): string {
  return useLabels().count(name, count);
}
