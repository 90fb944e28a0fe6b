import type { Entry } from '../../shared/content/entries.ts';
import type { Breadcrumb } from '../../shared/content/links.ts';
import type { Shown } from '../../shared/content/seo.ts';

export interface EntryPageData {
  entry: Shown<Entry>;
  breadcrumbs: readonly Breadcrumb[];
}
