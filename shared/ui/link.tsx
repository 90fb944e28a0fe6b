import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { matchRoutes, parsePath, Link as RouterLink } from 'react-router-dom';
import { type RouteDefinition, routeTable } from '../routes.ts';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string;
  children?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
}

const routeObjects = routeTable.map(route => ({ path: route.path, handle: route }));

/** @returns whether an address is a page of this site, reached inside the app. */
export function isPagePath(href: string): boolean {
  if (!href.startsWith('/') || href.startsWith('//') || href.startsWith('/uploads/')) return false;
  return !(parsePath(href).pathname ?? '').endsWith('.xml');
}

/** Whether a navigation is animated: by the flag of its target. It changes no markup, so the server need not know. */
function isAnimated(href: string): boolean {
  if (typeof document === 'undefined') return false;
  const match = matchRoutes(routeObjects, parsePath(href).pathname ?? '/')?.at(-1);
  const route: RouteDefinition | undefined = match?.route.handle;
  return route?.pageTransition ?? false;
}

/** A link to a page of this site, to a place on the same page, or to anywhere else. */
export function Link({ href, children, ...rest }: LinkProps) {
  if (isPagePath(href)) {
    return (
      <RouterLink to={href} viewTransition={isAnimated(href)} {...rest}>
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
