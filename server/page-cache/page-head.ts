import { surrogateFields } from '../cache/tags/surrogate-keys.ts';
import { type Fields, fieldsOf, headLines } from '../http/ready-head.ts';
import { dataHeaders, OF_DOCUMENTS } from '../http/security/security-headers.ts';
import { boundedMap, remembered } from '../ops/bounded-map.ts';
import { staleCaching, withoutCaching } from './page-headers.ts';

/** The header lines of a stored page, without ETag and headers of the encoding. Pages share equal texts. */
export interface PageHead {
  /** Headers of every response. A 304 leaves out those in `siteOfFull` (RFC 9110, 15.4.5). */
  readonly site: string;
  readonly siteOfFull: string;
  /** The page's headers. A 304 leaves out `plainOfFull`. */
  readonly plain: string;
  readonly plainOfFull: string;
  /** Surrogate keys with spaces between them, for three headers. */
  readonly surrogateKeys: string;
}

export type AllowedCaching = 'fresh' | 'stale' | 'none';

const CONTENT_FIELDS: ReadonlySet<string> = new Set(['Content-Type', 'Link']);
const KEYS_FIELD = 'Surrogate-Key';

const shared = boundedMap<string>(1_000);

function sharedLines(fields: Fields): string {
  const lines = headLines(fields);
  return remembered(shared, lines, () => lines);
}

/** @param common the headers of every response. A page's header replaces one of the same name. */
export function pageHead(common: Fields, own: Fields): PageHead {
  const names = new Set(own.map(([name]) => name));
  const isData = own.some(([name, value]) => name === 'Content-Type' && value.startsWith('application/json'));
  const ofSite = (isData ? dataHeaders(common) : common).filter(([name]) => !names.has(name));
  const others = own.filter(([name]) => name !== KEYS_FIELD);
  return {
    site: sharedLines(ofSite.filter(([name]) => !OF_DOCUMENTS.has(name))),
    siteOfFull: sharedLines(ofSite.filter(([name]) => OF_DOCUMENTS.has(name))),
    plain: sharedLines(others.filter(([name]) => !CONTENT_FIELDS.has(name))),
    plainOfFull: sharedLines(others.filter(([name]) => CONTENT_FIELDS.has(name))),
    surrogateKeys: checkedKeys(own.find(([name]) => name === KEYS_FIELD)?.[1] ?? ''),
  };
}

interface HeadAndETag {
  readonly head: PageHead;
  readonly etag: string;
}

export function linesOf304({ head, etag }: HeadAndETag, caching: AllowedCaching = 'fresh'): string {
  const { site, plain, surrogateKeys } = head;
  const hasKeys = surrogateKeys !== '' && caching !== 'none';
  const keys = hasKeys ? surrogateLines(surrogateKeys) : '';
  return `${site}${plainWith(plain, caching)}ETag: ${etag}\r\n${keys}`;
}

export function linesOfFull(page: HeadAndETag, caching: AllowedCaching = 'fresh'): string {
  return linesOf304(page, caching) + page.head.siteOfFull + page.head.plainOfFull;
}

export function ownFields({ plain, plainOfFull, surrogateKeys }: PageHead): Fields {
  return [
    ...fieldsOf(plain + plainOfFull),
    ...(surrogateKeys === '' ? [] : [[KEYS_FIELD, surrogateKeys] as const]),
  ];
}

const staleLines = boundedMap<string>(1_000);
const noneLines = boundedMap<string>(1_000);

function plainWith(plain: string, caching: AllowedCaching): string {
  if (caching === 'fresh') return plain;
  const [known, change] = caching === 'stale' ? [staleLines, staleCaching] : [noneLines, withoutCaching];
  return remembered(known, plain, () => headLines(change(fieldsOf(plain))));
}

/** @throws TypeError for surrogate keys that are invalid in a header. */
function checkedKeys(keys: string): string {
  headLines(surrogateFields(keys));
  return keys;
}

function surrogateLines(keys: string): string {
  const list = keys.replaceAll(' ', ',');
  return `Surrogate-Key: ${keys}\r\nCache-Tag: ${list}\r\nEdge-Cache-Tag: ${list}\r\n`;
}
