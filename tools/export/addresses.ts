import { decodeUri } from '../../shared/routing/decode-uri.ts';
import { pageAddress, splitPageNumber } from '../../shared/routing/page-numbers.ts';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';

/** @returns the file for a path, relative to the folder; null if no file can have this name. */
export function fileOf(pathname: string): string | null {
  const segments = pathname.split('/').slice(1).map(decodeUri);
  const isFile = segments.every(segment => segment !== null && !/^\.{0,2}$|[/\\\0]/.test(segment));
  return isFile ? segments.join('/') : null;
}

/** @param page an address of the export: `/`, `/about` or `/blog/guides/page/2`. */
export function pageFiles(page: string): { html: string; payload: string } | null {
  if (page === '/') return { html: 'index.html', payload: PAYLOAD_SUFFIX.slice(1) };
  const file = fileOf(page);
  return file === null ? null : { html: `${file}.html`, payload: `${file}${PAYLOAD_SUFFIX}` };
}

/** @returns the address of a page in the export, where page numbers are in the path. */
export function exportedAddress(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://site.invalid');
  const page = searchParams.get('page');
  if (page === null) return pathname;
  return splitPageNumber(`${pathname}/page/${page}`) ? pageAddress(pathname, Number(page), true) : pathname;
}

export function liveAddress(page: string): string {
  const numbered = splitPageNumber(page);
  return numbered ? pageAddress(numbered.list, numbered.page) : page;
}

const NUMBERED = /((?:href|content)=")([^"?#]*)\?page=([1-9]\d{0,4})(?=["#])/g;

/** Moves page numbers of lists in attributes into the path. */
export function withNumbersInPath(html: string, origin: string): string {
  return html.replace(NUMBERED, (whole, before: string, address: string, page: string) => {
    const path = address.startsWith(origin) ? address.slice(origin.length) : address;
    if (!splitPageNumber(`${path}/page/${page}`)) return whole;
    return before + pageAddress(address, Number(page), true);
  });
}

const LINKS = /\shref="(\/[^"#]*)/g;
/** The addresses of files in a document, a payload or a feed. */
const FILES = /(?<=["'\s,(;>])\/(?:uploads|images)\/[^\s"'<>\\&#]+/g;

/** @returns the addresses of linked pages, and of pictures, videos and downloads. */
export function namedAddresses(text: string, origin: string): { pages: string[]; files: string[] } {
  const local = text.replaceAll(origin, '');
  const pages = Array.from(local.matchAll(LINKS), ([, href = '']) => href.replaceAll('&amp;', '&')).filter(
    href => !/^\/(?:\/|api\/|assets\/|uploads\/|images\/)/.test(href),
  );
  return { pages, files: local.match(FILES) ?? [] };
}
