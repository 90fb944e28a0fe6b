import type { BlockName, PageBlockName } from '../shared/content/landing.ts';

/** Loads the components of those blocks that have their own chunk. Written by the build. */
export const lateBlockViews = {
  callToAction: () => import('./blocks/call-to-action/call-to-action.late.tsx'),
  download: () => import('./blocks/download/download.late.tsx'),
  form: () => import('./blocks/form/form.late.tsx'),
  people: () => import('./blocks/people/people.late.tsx'),
  steps: () => import('./blocks/steps/steps.late.tsx'),
  table: () => import('./blocks/table/table.late.tsx'),
  voices: () => import('./blocks/voices/voices.late.tsx'),
} satisfies { readonly [Name in Exclude<PageBlockName, BlockName>]: () => Promise<object> };
