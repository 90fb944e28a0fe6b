import type { Author, ListPage, ShownArticle } from '../../shared/content/blog.ts';
import type { Entry, ListedType, ShownEntry } from '../../shared/content/entries.ts';
import type { BlockData, BlockOf } from '../../shared/content/landing.ts';
import type { Breadcrumb, PageLink } from '../../shared/content/links.ts';
import type { RichHeading } from '../../shared/content/rich-text.ts';
import type { Shown, WithSections } from '../../shared/content/seo.ts';

export interface ListedEntries {
  route: ListedType['route'];
  items: readonly ShownEntry[];
}

/** The name of the contact form as a block among the sections of a page. */
export const PAGE_CONTACTS = 'pageContacts';

export interface PageContacts {
  block: BlockData<BlockOf<'contacts'>>;
  person: Pick<Author, 'name' | 'position' | 'image' | 'hours'> | null;
  afterSending: string | null;
  readings: readonly PageLink[];
}

export interface EntryPageData extends WithSections {
  entry: Shown<Entry>;
  related: ListedEntries | null;
  /** The contact form: above the text of a page, and below that of a product. */
  contacts: WithSections;
  headings: readonly RichHeading[];
  breadcrumbs: readonly Breadcrumb[];
}

/** A page that lists the articles of an entry, such as a tag. */
export interface ArticleGroupData<Entry> {
  entry: Entry;
  feed: string | null;
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}
