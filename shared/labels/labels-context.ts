import { createContext, use } from 'react';
import type { PageLabels } from './labels.ts';

/** The words of the page. Every render provides them: the server with those of the settings, the browser with the same. */
export const LabelsContext = createContext<PageLabels | null>(null);

/** @returns the words of the page. */
export function useLabels(): PageLabels {
  const labels = use(LabelsContext);
  if (labels === null) throw new Error('No labels: the tree is rendered without a LabelsContext');
  return labels;
}
