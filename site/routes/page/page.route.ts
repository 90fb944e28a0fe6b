import type { Entry } from '../../../shared/content/entries.ts';
import type { Breadcrumb } from '../../../shared/content/links.ts';
import type { RichHeading } from '../../../shared/content/rich-text.ts';
import type { Shown, WithSections } from '../../../shared/content/seo.ts';
import { route } from '../../../shared/routing/route.ts';
import type { ListedEntries } from '../../parts/entry-data.ts';

export interface GenericPageData extends WithSections {
  page: Shown<Entry>;
  headings: readonly RichHeading[];
  contacts: WithSections;
  /** The entries of the type whose parent page this is; null on other pages. */
  entries: ListedEntries | null;
  breadcrumbs: readonly Breadcrumb[];
}

export const page = route<GenericPageData>()({
  id: 'page',
  path: '/:slug',
  page: () => import('./page.tsx'),
  load: () => __BROWSER__ || import('./page.load.server.ts'),
  reads: ['article', 'author', 'category'],
});
