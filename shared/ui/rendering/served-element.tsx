import { type HTMLAttributes, type ReactNode, useState, useSyncExternalStore } from 'react';

interface ServedElementProps extends HTMLAttributes<HTMLElement> {
  as: 'div' | 'nav' | 'section' | 'span' | 'ul';
  /** The content of the children. While it stays the same, the browser keeps the served children. */
  source: unknown;
  children: ReactNode;
}

/**
 * Keeps the server's markup without hydration. The contents must have no state and no handlers.
 * Development hydrates them for Fast Refresh.
 */
export const ServedElement = __BROWSER__ && !__DEV__ ? Kept : Rendered;

function Rendered({ as: Element, source: _source, ...attributes }: ServedElementProps) {
  return <Element {...attributes} />;
}

function Kept({ as: Element, source, children, ...attributes }: ServedElementProps) {
  const [first] = useState({ source, isServed: false });
  // React calls the third function only during hydration, so a new element is not marked as served.
  const isServed = useSyncExternalStore(
    subscribe,
    () => first.isServed,
    () => {
      first.isServed = true;
      return true;
    },
  );
  if (!isServed || first.source !== source) return <Element {...attributes}>{children}</Element>;
  // React does not write the empty text: during hydration it leaves the contents of such an element.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: as above
  return <Element key="served" {...attributes} dangerouslySetInnerHTML={NOTHING} suppressHydrationWarning />;
}

const NOTHING = { __html: '' };
const subscribe = () => () => undefined;
