import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { parsePath, Link as RouterLink } from 'react-router-dom';
import { useIsStatic } from './static-render.ts';

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
 * Whether links ask React Router for a view transition. Every link does so, because only then React Router starts one on the
 * way back; `client/view-transitions.ts` decides whether to animate. Without browser support React Router would log a warning.
 */
const canAnimate = typeof document !== 'undefined' && 'startViewTransition' in document;

/** A link to a page of this site, to a hash on the same page, or to another site. */
export function Link({ href, children, ...rest }: LinkProps) {
  const isStatic = useIsStatic();
  // A download is a plain link: React Router would navigate to it.
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
