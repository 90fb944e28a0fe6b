import type { ListPage, ShownArticle } from '../../shared/content/blog.ts';
import type { Entry } from '../../shared/content/entries.ts';
import type { Breadcrumb } from '../../shared/content/links.ts';
import type { RichHeading } from '../../shared/content/rich-text.ts';
import type { Shown, WithSections } from '../../shared/content/seo.ts';

export interface EntryPageData extends WithSections {
  entry: Shown<Entry>;
  headings: readonly RichHeading[];
  breadcrumbs: readonly Breadcrumb[];
}

/** A page that lists the articles of an entry, such as a tag. */
export interface ArticleGroupData<Entry> {
  entry: Entry;
  /** The path of the feed, if there is one. */
  feed: string | null;
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}
