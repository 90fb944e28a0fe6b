import type { ComponentType, ReactNode } from 'react';
import type { Shell } from '../shared/payload/shell.ts';
import type { LayoutName } from '../shared/routing/routes.ts';
import { BlogLayout } from './layouts/blog-layout.tsx';
import { DefaultLayout } from './layouts/default-layout.tsx';

export { CategoryLinks, currentHref } from './layouts/category-navigation.tsx';
export { ErrorPage } from './layouts/error-page.tsx';
export { HeaderContents } from './layouts/header/site-header.tsx';
export { PageSkeleton } from './layouts/page-skeleton.tsx';
export { FooterContents } from './layouts/site-footer.tsx';

/** The layouts, by the names that routes use. Error pages use `default`. */
export const layouts = {
  default: DefaultLayout,
  blog: BlogLayout,
} satisfies Record<LayoutName, ComponentType<{ shell: Shell | null; children: ReactNode }>>;
