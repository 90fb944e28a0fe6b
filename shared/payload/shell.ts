import type { CategoryRef, ContentLink, NavigationLink } from '../content/links.ts';
import type { RichText } from '../content/rich-text.ts';
import type { Offer } from '../content/settings.ts';

/** The content around every page: header, footer, subscribe block. */
export interface Shell {
  siteName: string;
  /** The logo of the settings. Without it the brand's is shown. */
  logo?: ShellLogo;
  headerLinks: readonly NavigationLink[];
  /** The call to action in the header, and on pages without their own. */
  cta?: Offer;
  footerLinks: readonly NavigationLink[];
  /** Social networks in the footer, including `subscribeSocials`. `title` is a network's name. */
  socials: readonly ContentLink[];
  subscribeSocials: readonly ContentLink[];
  privacyLink: string | null;
  /** What the law requires in the footer. Absent if the settings have nothing of it. */
  legal?: Legal;
  subscribeConsent?: RichText;
  /** Set if a link in an e-mail confirms a subscription. */
  confirmsSubscription?: true;
  categories: readonly CategoryRef[];
  /** Set in a static export: page numbers are in the path, because static file servers ignore queries. */
  numbersInPath?: true;
}

export interface ShellLogo {
  light: SizedFile;
  dark: SizedFile;
  hasName: boolean;
}

export interface SizedFile {
  src: string;
  width: number;
  height: number;
}

export interface Legal {
  parts: readonly string[];
  vatId: string | null;
}

/** The head of a document. Addresses of the site are paths; rendering adds the origin. */
export interface Head {
  title: string;
  description: string | null;
  /** The path with declared query parameters, or an editor's absolute address; null for error pages. */
  canonical: string | null;
  ogType: 'website' | 'article';
  publishedTime: string | null;
  modifiedTime: string | null;
  robots: string | null;
}
