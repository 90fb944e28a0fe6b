import { type HTMLAttributes, type ReactNode, useState, useSyncExternalStore } from 'react';

interface ServedElementProps extends HTMLAttributes<HTMLElement> {
  as: 'div' | 'nav' | 'section' | 'span' | 'ul';
  /** The content that the children show. The element shows its children anew when it gets another one. */
  source: unknown;
  children: ReactNode;
}

/**
 * An element whose contents need no JavaScript: React keeps the server's markup and does not hydrate it. The contents must have no state
 * and no handlers. Links work, because `client/route-links.ts` serves them all.
 */
export const ServedElement = __BROWSER__ ? Kept : Rendered;

function Rendered({ as: Element, source: _source, ...attributes }: ServedElementProps) {
  return <Element {...attributes} />;
}

function Kept({ as: Element, source, children, ...attributes }: ServedElementProps) {
  const [first] = useState({ source, isServed: false });
  // React calls the last function during hydration only, not when it renders an element anew.
  const isServed = useSyncExternalStore(
    subscribe,
    () => first.isServed,
    () => {
      first.isServed = true;
      return true;
    },
  );
  if (!isServed || first.source !== source) return <Element {...attributes}>{children}</Element>;
  // The empty text is never written: React leaves the contents of such an element as they are.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: as above
  return <Element key="served" {...attributes} dangerouslySetInnerHTML={NOTHING} suppressHydrationWarning />;
}

const NOTHING = { __html: '' };
const subscribe = () => () => undefined;
