import { createContext, useContext } from 'react';

/**
 * The parts that stand around every page and are the same on most of them. They depend on the shell and on the place in the
 * navigation, and on nothing else; no `useId` in them, whose ids tell the place in the whole tree.
 */
export type ShellPart = 'header' | 'categories' | 'footer';

/** The contents of such parts as HTML, as React has rendered them before. */
export type ShellHtml = Readonly<Partial<Record<ShellPart, string>>>;

/**
 * Set while the server renders, null in the browser. What the server renders is never clicked: links need no router, and
 * parts that were rendered before need not be rendered again.
 */
export const StaticRenderContext = createContext<ShellHtml | null>(null);

/** @returns whether markup is all that is wanted. A bundle for browsers need not ask. */
export const useIsStatic = __BROWSER__ ? () => false : () => useContext(StaticRenderContext) !== null;
