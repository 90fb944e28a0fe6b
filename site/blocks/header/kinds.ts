/** The kinds of the first block. `header.tsx` names the view of each. */
export const headerKinds = ['ticket', 'picture', 'film', 'figures', 'map', 'plain'] as const;

export type HeaderKind = (typeof headerKinds)[number];
