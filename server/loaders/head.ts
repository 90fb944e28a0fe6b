import type { Labels } from '../../shared/labels/labels.ts';
import { errorTitle } from '../../shared/payload/http-error.ts';
import type { Head, PageError } from '../../shared/payload/payload.ts';
import type { SiteOrigin } from '../http/request-origin.ts';
import type { LoaderHead } from './loader.ts';

/**
 * @returns the head of a page: the fields of its loader, completed by the fields that all pages share. Without an origin the page has no
 *   canonical address, and search engines must not list it under the host that it was read from.
 */
export function pageHead(page: LoaderHead, siteName: string, path: string, origin: SiteOrigin): Head {
  return {
    title: titleWith(page.title, siteName),
    description: page.description ?? null,
    canonicalPath: origin === null ? null : (page.canonicalPath ?? path),
    ogType: page.ogType ?? 'website',
    image: page.image
      ? { src: page.image.src, alt: page.image.alt, width: page.image.width, height: page.image.height }
      : null,
    publishedTime: page.publishedTime ?? null,
    modifiedTime: page.modifiedTime ?? null,
    noindex: origin === null || (page.noindex ?? false),
  };
}

/** @returns the head of an error page, with `noindex` and without a canonical address. */
export function errorHead(error: PageError, siteName: string, labels: Labels): Head {
  return {
    title: titleWith(errorTitle(error.statusCode, labels), siteName),
    description: null,
    canonicalPath: null,
    ogType: 'website',
    image: null,
    publishedTime: null,
    modifiedTime: null,
    noindex: true,
  };
}

function titleWith(title: string | null, siteName: string): string {
  return title && title !== siteName ? `${title} – ${siteName}` : siteName;
}
