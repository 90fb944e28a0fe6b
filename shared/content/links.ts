import type { RichText } from './rich-text.ts';

/** A link from a JSON field of the content. `href` has been checked: http(s), mailto, tel, a path or a hash. */
export interface ContentLink {
  title: string;
  href: string;
  /** The address of an icon, checked like any media address. */
  icon: string | null;
}

/** A link of the header or the footer, with at most one level below it. */
export interface NavigationLink extends ContentLink {
  children: readonly ContentLink[];
}

/** A question and its answer; the answer is rich text. */
export interface Question {
  question: string;
  answer: RichText;
}
