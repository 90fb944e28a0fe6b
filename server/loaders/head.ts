import type { Seo } from '../../shared/content/blog.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import { errorTitle } from '../../shared/payload/http-error.ts';
import { titleOnSite } from '../../shared/payload/page-title.ts';
import type { Head, PageError } from '../../shared/payload/payload.ts';
import type { SiteOrigin } from '../http/request-origin.ts';
import type { LoaderHead } from './loader.ts';

/**
 * @returns the head of a page: the fields of its loader, completed by the fields that all pages share. Without an origin the page has no
 *   canonical address, and search engines must not list it under the host that it was read from.
 */
export function pageHead(page: LoaderHead, siteName: string, path: string, origin: SiteOrigin): Head {
  const robots = origin === null || page.noindex ? 'noindex' : (page.robots?.join(', ') ?? null);
  return {
    title: titleWith(page.title, siteName),
    description: page.description ?? null,
    canonical: origin === null ? null : (canonicalOf(page.canonical, origin) ?? path),
    ogType: page.ogType ?? 'website',
    publishedTime: page.publishedTime ?? null,
    modifiedTime: page.modifiedTime ?? null,
    robots,
  };
}

/** @returns the head of an error page, with `noindex` and without a canonical address. */
export function errorHead(error: PageError, siteName: string, labels: Labels): Head {
  return {
    title: titleWith(errorTitle(error.statusCode, labels), siteName),
    description: null,
    canonical: null,
    ogType: 'website',
    publishedTime: null,
    modifiedTime: null,
    robots: 'noindex',
  };
}

/** The head of an entry, from the values that its editor has set for search engines, else from its own. */
export function entryHead({
  seo,
  ...own
}: {
  seo: Seo;
  title: string | null;
  description: string | null;
  cover?: Seo['image'];
}): Omit<LoaderHead, 'card'> {
  return {
    title: seo.title ?? own.title,
    description: seo.description ?? own.description,
    image: seo.image ?? own.cover ?? null,
    ...(seo.canonical === null ? {} : { canonical: seo.canonical }),
    robots: seo.robots,
  };
}

/** @returns a canonical address: a path for one of this site, else an absolute address; null for anything else. */
function canonicalOf(address: string | null | undefined, origin: string): string | null {
  const url = address ? URL.parse(address, origin) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.origin === origin ? url.pathname + url.search : url.href;
}

/** Separates the name of a site from a title, where an editor has written both. */
const SEPARATED = /\s[–—|·:/-]\s|:\s/;

/** @returns the title with the name of the site, once: an editor may have written it into the title. */
export function titleWith(title: string | null, siteName: string): string {
  return title && !namesSite(title, siteName) ? titleOnSite(title, siteName) : title || siteName;
}

/** A name in another case counts only between separators: `corridor` may be a word of the sentence. */
function namesSite(title: string, siteName: string): boolean {
  const name = siteName.toLowerCase();
  if (title.split(SEPARATED).some(part => part.trim().toLowerCase() === name)) return true;
  for (let at = title.indexOf(siteName); at >= 0; at = title.indexOf(siteName, at + 1))
    if (!isLetter(title[at - 1]) && !isLetter(title[at + siteName.length])) return true;
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
