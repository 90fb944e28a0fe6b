import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { parsePath } from '../routing/router.ts';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string;
  children?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
}

export function isPagePath(href: string): boolean {
  if (!href.startsWith('/') || href.startsWith('//') || href.startsWith('/uploads/')) return false;
  return !(parsePath(href).pathname ?? '').endsWith('.xml');
}

export function Link({ href, children, ...rest }: LinkProps) {
  const external = /^(?:https?:)?\/\//i.test(href);
  return (
    <a {...rest} href={href} {...(external ? { rel: 'noopener noreferrer' } : {})}>
      {children}
    </a>
  );
}
