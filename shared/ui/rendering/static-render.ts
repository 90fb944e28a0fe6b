import { createContext } from 'react';

/** Parts that depend on the shell and the place in the navigation. They must not use `useId`. */
export type ShellPart = 'header' | 'categories' | 'footer';

/** The contents of these parts as HTML, rendered for an earlier page. */
export type ShellHtml = Readonly<Partial<Record<ShellPart, string>>>;

export const StaticRenderContext = createContext<ShellHtml | null>(null);
