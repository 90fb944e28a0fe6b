import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { parsePath, Link as RouterLink, useLocation } from 'react-router-dom';
import { isAnimated } from '../is-animated.ts';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string;
  children?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
}

/** @returns whether an address is a page of this site, reached inside the app. */
export function isPagePath(href: string): boolean {
  if (!href.startsWith('/') || href.startsWith('//') || href.startsWith('/uploads/')) return false;
  return !(parsePath(href).pathname ?? '').endsWith('.xml');
}

/** A link to a page of this site, to a place on the same page, or to anywhere else. */
export function Link({ href, children, ...rest }: LinkProps) {
  const { pathname } = useLocation();
  if (isPagePath(href)) {
    return (
      <RouterLink to={href} viewTransition={isAnimated(pathname, parsePath(href).pathname ?? '/')} {...rest}>
        {children}
      </RouterLink>
    );
  }
  const external = /^(?:https?:)?\/\//i.test(href);
  return (
    <a {...rest} href={href} {...(external ? { rel: 'noopener noreferrer' } : {})}>
      {children}
    </a>
  );
}
