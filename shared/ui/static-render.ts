import { createContext } from 'react';

/**
 * The parts around every page that are the same on most pages. A part depends only on the shell and on the current place in
 * the navigation. A part must not use `useId`, because its ids depend on the place in the whole tree.
 */
export type ShellPart = 'header' | 'categories' | 'footer';

/** The contents of these parts as HTML, rendered by React for an earlier page. */
export type ShellHtml = Readonly<Partial<Record<ShellPart, string>>>;

/** Set while the server renders, null in the browser. Parts that were already rendered are not rendered again. */
export const StaticRenderContext = createContext<ShellHtml | null>(null);
