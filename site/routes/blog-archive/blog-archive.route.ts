import type { Breadcrumb } from '../../../shared/content/links.ts';
import { NOT_ANIMATED, route } from '../../../shared/routing/route.ts';
import type { ArchivePeriod } from './archive.ts';

export interface BlogArchiveData {
  h1: string;
  years: readonly (ArchivePeriod & { readonly months: readonly ArchivePeriod[] })[];
  breadcrumbs: readonly Breadcrumb[];
}

export const blogArchive = route<BlogArchiveData>()({
  id: 'blog-archive',
  path: '/blog/archive',
  page: () => import('./blog-archive.tsx'),
  load: () => __BROWSER__ || import('./blog-archive.load.server.ts'),
  reads: ['article'],
  layout: 'blog',
  ...NOT_ANIMATED,
});
