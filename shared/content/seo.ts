import type { ZonePart } from './descriptions.ts';
import type { Image } from './image.ts';

/** An editor's values for search engines and shared links. For null, the entry's other fields are used. */
export interface Seo {
  title: string | null;
  description: string | null;
  image: Image | null;
  /** The address that search engines should list: a path, or an absolute address. */
  canonical: string | null;
  /** Rules for robots, such as `noindex`. Never empty. */
  robots: readonly string[] | null;
}

export type SeoField = 'seo' | 'seoTitle' | 'seoDescription' | 'seoImage';

export type WithSeo<T> = Omit<T, SeoField> & { seo: Seo };

export type Shown<T> = Omit<T, 'seo' | 'sections'>;

/** The sections of a page from the first block on; without a block there are none. */
export interface WithSections {
  readonly sections?: readonly ZonePart[];
}
