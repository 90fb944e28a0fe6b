import { createContext, use } from 'react';
import type { PageLabels } from './labels.ts';

export const LabelsContext = createContext<PageLabels | null>(null);

export function useLabels(): PageLabels {
  const labels = use(LabelsContext);
  if (labels === null) throw new Error('No labels: the tree is rendered without a LabelsContext');
  return labels;
}
