/** A link. `href` is checked: http(s), mailto, tel, a path or a hash. */
export interface ContentLink {
  title: string;
  href: string;
  icon: string | null;
}

export type PageLink = Pick<ContentLink, 'title' | 'href'>;

export interface CategoryRef {
  id: string;
  name: string;
  slug: string;
}

/** A child link in the header or the footer. `text` is a sentence that only the header shows. */
export interface LowerLink extends ContentLink {
  text?: string;
}

/** A link of the header or the footer, with at most one level below it. */
export interface NavigationLink extends ContentLink {
  children: readonly LowerLink[];
}

export interface LabelledFile {
  src: string;
  caption: string | null;
  /** The alternative text, used if there is no caption. */
  alt: string;
}

export interface Breadcrumb {
  title: string;
  href: string | null;
}
