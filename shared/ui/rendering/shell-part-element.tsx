import { createContext, type HTMLAttributes, type ReactNode, useContext } from 'react';

/** Parts that depend on the shell and the place in the navigation. They must not use `useId`. */
type ShellPart = 'header' | 'categories' | 'footer';

/** The contents of these parts as HTML, rendered for an earlier page. */
export type ShellHtml = Readonly<Partial<Record<ShellPart, string>>>;

export const StaticRenderContext = /* @__PURE__ */ createContext<ShellHtml | null>(null);

interface ShellPartElementProps extends HTMLAttributes<HTMLElement> {
  part: ShellPart;
  as: 'div' | 'nav';
  children: ReactNode;
}

/** An element whose contents the server may have rendered for an earlier page. */
export const ShellPartElement = __BROWSER__ ? PlainElement : MaybeRendered;

function PlainElement({ part: _part, as: Element, ...attributes }: ShellPartElementProps) {
  return <Element {...attributes} />;
}

function MaybeRendered({ part, as: Element, children, ...attributes }: ShellPartElementProps) {
  const html = useContext(StaticRenderContext)?.[part];
  if (html === undefined) return <Element {...attributes}>{children}</Element>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React rendered this HTML from the children, and escaped it
  return <Element {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}
