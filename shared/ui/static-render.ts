import { createContext, useContext } from 'react';

/**
 * The parts around every page that are the same on most pages. A part depends only on the shell and on the current place in
 * the navigation. A part must not use `useId`, because its ids depend on the place in the whole tree.
 */
export type ShellPart = 'header' | 'categories' | 'footer';

/** The contents of these parts as HTML, rendered by React for an earlier page. */
export type ShellHtml = Readonly<Partial<Record<ShellPart, string>>>;

/**
 * Set while the server renders, null in the browser. The server's markup is never clicked, so links need no router, and
 * parts that were already rendered are not rendered again.
 */
export const StaticRenderContext = createContext<ShellHtml | null>(null);

/** @returns whether React renders only markup, as on the server. In a bundle for browsers this is always false. */
export const useIsStatic = __BROWSER__ ? () => false : () => useContext(StaticRenderContext) !== null;
