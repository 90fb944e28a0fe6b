import type { WithSeo } from './blog.ts';
import type { EntityOf, SummaryOf } from './content-types.ts';

/** The types whose entries are a page with a text. */
export type EntryTypeName = 'business-solution' | 'commerce' | 'page';

/**
 * A business solution, a commerce page or a generic page. It has the fields of all three: `cover` is null for generic pages, and
 * `contactForm` (the page has the contacts section) is false for the others.
 */
export type Entry = WithSeo<EntityOf<'business-solution'> & EntityOf<'commerce'> & EntityOf<'page'>>;

/** An entry as the lists under `/business-solutions` and `/commerce` show it. */
export type EntrySummary = SummaryOf<'business-solution'> & SummaryOf<'commerce'> & SummaryOf<'page'>;

/** An entry as its card shows it. */
export type ShownEntry = Omit<EntrySummary, 'updatedAt' | 'seo'>;
