import { type Fields, fieldsOf, headLines } from '../http/ready-head.ts';
import { dataHeaders, OF_DOCUMENTS } from '../http/security-headers.ts';
import { boundedMap } from '../ops/bounded-map.ts';

/**
 * The headers of a stored page as lines, except those of the encoding. All pages share the texts of headers that are the same for them.
 */
export interface PageHead {
  /** The headers of the site that every answer has, and those that a 304 leaves out. */
  readonly site: string;
  readonly siteOfFull: string;
  /** The page's own headers that other pages have, too; those that a 304 leaves out (RFC 9110, 15.4.5); those of this page alone. */
  readonly plain: string;
  readonly plainOfFull: string;
  readonly own: string;
}

/** Headers that describe the content of a page. A 304 leaves them out. */
const CONTENT_FIELDS: ReadonlySet<string> = new Set(['Content-Type', 'Link']);
/** Headers whose values differ from page to page. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['ETag', 'Cache-Tag', 'Surrogate-Key']);

/** Texts that pages share. */
const shared = boundedMap<string>(1_000);

function sharedLines(fields: Fields): string {
  const lines = headLines(fields);
  const known = shared.get(lines);
  if (known !== undefined) return known;
  shared.set(lines, lines);
  return lines;
}

/**
 * @param common the headers of every answer of the site. A page's own header of the same name replaces one of these.
 * @param own the page's own headers.
 */
export function pageHead(common: Fields, own: Fields): PageHead {
  const names = new Set(own.map(([name]) => name));
  const isData = own.some(([name, value]) => name === 'Content-Type' && value.startsWith('application/json'));
  const ofSite = (isData ? dataHeaders(common) : common).filter(([name]) => !names.has(name));
  const others = own.filter(([name]) => !OWN_FIELDS.has(name));
  return {
    site: sharedLines(ofSite.filter(([name]) => !OF_DOCUMENTS.has(name))),
    siteOfFull: sharedLines(ofSite.filter(([name]) => OF_DOCUMENTS.has(name))),
    plain: sharedLines(others.filter(([name]) => !CONTENT_FIELDS.has(name))),
    plainOfFull: sharedLines(others.filter(([name]) => CONTENT_FIELDS.has(name))),
    own: headLines(own.filter(([name]) => OWN_FIELDS.has(name))),
  };
}

/** @returns the lines of a 304. */
export function linesOf304({ site, plain, own }: PageHead): string {
  return site + plain + own;
}

/** @returns the lines of an answer with the page, except those of its encoding. */
export function linesOfFull(head: PageHead): string {
  return linesOf304(head) + head.siteOfFull + head.plainOfFull;
}

/** @returns the page's own headers. */
export function ownFields({ plain, plainOfFull, own }: PageHead): Fields {
  return fieldsOf(plain + plainOfFull + own);
}
