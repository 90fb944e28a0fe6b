import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { parsePath, Link as RouterLink } from 'react-router-dom';
import { useIsStatic } from './static-render.ts';

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

/**
 * Every link asks React Router for a view transition, so that the way back can have one too; whether there is one is decided
 * by `client/view-transitions.ts` when the page changes. Router complains about being asked for what the browser has not.
 */
const canAnimate = typeof document !== 'undefined' && 'startViewTransition' in document;

/** A link to a page of this site, to a place on the same page, or to anywhere else. */
export function Link({ href, children, ...rest }: LinkProps) {
  const isStatic = useIsStatic();
  // React Router would make a navigation of a download.
  if (!isStatic && isPagePath(href) && rest.download === undefined) {
    return (
      <RouterLink to={href} discover="none" viewTransition={canAnimate} {...rest}>
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
