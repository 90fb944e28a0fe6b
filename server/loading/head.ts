import type { Seo } from '../../shared/content/seo.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import type { PageError } from '../../shared/payload/http-error.ts';
import { errorTitle } from '../../shared/payload/http-error.ts';
import { titleOnSite } from '../../shared/payload/page-title.ts';
import type { Head } from '../../shared/payload/shell.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import type { LoaderHead } from './loader.ts';

/** Completes a loader's head. Without an origin, search engines must not list the page. */
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

export function errorHead(error: PageError, siteName: string, labels: Labels): Head {
  return pageHead({ title: errorTitle(error.statusCode, labels) }, siteName, '', null);
}

/** Builds an entry's head. The editor's values for search engines replace the entry's own values. */
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

/** @returns a path for this site's address, an absolute address for others; null for invalid ones. */
function canonicalOf(address: string | null | undefined, origin: string): string | null {
  const url = address ? URL.parse(address, origin) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.origin === origin ? url.pathname + url.search : url.href;
}

const SEPARATED = /\s[–—|·:/-]\s|:\s/;

export function titleWith(title: string | null, siteName: string): string {
  return title && !namesSite(title, siteName) ? titleOnSite(title, siteName) : title || siteName;
}

/** Whether a title contains the site's name. Inside a sentence the case must match: a name may be a word. */
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
