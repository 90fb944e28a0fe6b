import type { Seo } from './blog.ts';
import type { Image } from './image.ts';
import type { Question } from './links.ts';
import type { RichText } from './rich-text.ts';

/** A business solution, a commerce page or a generic page. */
export interface Entry {
  id: string;
  title: string;
  h1: string | null;
  description: string | null;
  slug: string;
  body: RichText;
  /** Always null for generic pages. */
  cover: Image | null;
  questions: readonly Question[];
  seo: Seo;
  updatedAt: string | null;
  /** Whether the page has the contacts section. Generic pages only. */
  contactForm: boolean;
}

/** An entry as the lists under `/business-solutions` and `/commerce` show it. */
export interface EntrySummary {
  id: string;
  title: string;
  description: string | null;
  slug: string;
  cover: Image | null;
  updatedAt: string | null;
}
