import { surrogateFields } from '../cache/surrogate-tags.ts';
import { type Fields, fieldsOf, headLines } from '../http/ready-head.ts';
import { dataHeaders, OF_DOCUMENTS } from '../http/security-headers.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { staleCaching, withoutCaching } from './page-headers.ts';

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
  /** The words by which caches in front purge the page, separated by spaces; empty without any. Three headers have them, so they are not a part of a line. */
  readonly words: string;
}

/**
 * The use that caches may make of an answer: that of a `fresh` page, that of a page that is `stale` in this server, or `none`, for a payload
 * that was asked for under the id of another build.
 */
export type AllowedCaching = 'fresh' | 'stale' | 'none';

/** Headers that describe the content of a page. A 304 leaves them out. */
const CONTENT_FIELDS: ReadonlySet<string> = new Set(['Content-Type', 'Link']);
/** Headers whose values differ from page to page. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['ETag']);
/** The header whose value is kept apart. */
const WORDS_FIELD = 'Surrogate-Key';

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
  const others = own.filter(([name]) => !OWN_FIELDS.has(name) && name !== WORDS_FIELD);
  return {
    site: sharedLines(ofSite.filter(([name]) => !OF_DOCUMENTS.has(name))),
    siteOfFull: sharedLines(ofSite.filter(([name]) => OF_DOCUMENTS.has(name))),
    plain: sharedLines(others.filter(([name]) => !CONTENT_FIELDS.has(name))),
    plainOfFull: sharedLines(others.filter(([name]) => CONTENT_FIELDS.has(name))),
    own: headLines(own.filter(([name]) => OWN_FIELDS.has(name))),
    words: checkedWords(own.find(([name]) => name === WORDS_FIELD)?.[1] ?? ''),
  };
}

/** @returns the lines of a 304. */
export function linesOf304({ site, plain, own, words }: PageHead, caching: AllowedCaching = 'fresh'): string {
  const hasWords = words !== '' && caching !== 'none';
  return site + plainWith(plain, caching) + own + (hasWords ? wordLines(words) : '');
}

/** @returns the lines of an answer with the page, except those of its encoding. */
export function linesOfFull(head: PageHead, caching: AllowedCaching = 'fresh'): string {
  return linesOf304(head, caching) + head.siteOfFull + head.plainOfFull;
}

/** @returns the page's own headers. */
export function ownFields({ plain, plainOfFull, own, words }: PageHead): Fields {
  return [...fieldsOf(plain + plainOfFull + own), ...(words === '' ? [] : [[WORDS_FIELD, words] as const])];
}

/** Lines of answers that are not fresh, by those of fresh ones. */
const staleLines = boundedMap<string>(1_000);
const noneLines = boundedMap<string>(1_000);

function plainWith(plain: string, caching: AllowedCaching): string {
  if (caching === 'fresh') return plain;
  const [known, change] = caching === 'stale' ? [staleLines, staleCaching] : [noneLines, withoutCaching];
  const found = known.get(plain);
  if (found !== undefined) return found;
  const lines = headLines(change(fieldsOf(plain)));
  known.set(plain, lines);
  return lines;
}

/** @throws TypeError for words that no header may have. */
function checkedWords(words: string): string {
  headLines(surrogateFields(words));
  return words;
}

function wordLines(words: string): string {
  const list = words.replaceAll(' ', ',');
  return `Surrogate-Key: ${words}\r\nCache-Tag: ${list}\r\nEdge-Cache-Tag: ${list}\r\n`;
}
