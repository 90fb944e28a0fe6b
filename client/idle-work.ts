import type { PageLabels } from '../shared/labels/labels.ts';
import { startScrollAreas } from './scroll-areas.ts';
import { startTextParts } from './text-parts.ts';

/** The work of every page that can wait until the browser is idle. It is one chunk, so that it is one request. */
export function startIdleWork(labels: PageLabels): void {
  startScrollAreas();
  startTextParts(labels);
}
