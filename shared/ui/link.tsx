import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { parsePath } from 'react-router-dom';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string;
  children?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
}

/** @returns whether an address is a page of this site, which the router can show. */
export function isPagePath(href: string): boolean {
  if (!href.startsWith('/') || href.startsWith('//') || href.startsWith('/uploads/')) return false;
  return !(parsePath(href).pathname ?? '').endsWith('.xml');
}

/**
 * A link to a page of this site, to a hash on the same page, or to another site. `client/route-links.ts` hands clicks on the first two to
 * the router.
 */
export function Link({ href, children, ...rest }: LinkProps) {
  const external = /^(?:https?:)?\/\//i.test(href);
  return (
    <a {...rest} href={href} {...(external ? { rel: 'noopener noreferrer' } : {})}>
      {children}
    </a>
  );
}
