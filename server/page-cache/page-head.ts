import { surrogateFields } from '../cache/tags/surrogate-keys.ts';
import { type Fields, fieldsOf, headLines } from '../http/ready-head.ts';
import { dataHeaders, OF_DOCUMENTS } from '../http/security/security-headers.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { staleCaching, withoutCaching } from './page-headers.ts';

/** The header lines of a stored page, without those of its encoding. Equal texts are shared. */
export interface PageHead {
  /** Headers of every answer. A 304 leaves out those in `siteOfFull` (RFC 9110, 15.4.5). */
  readonly site: string;
  readonly siteOfFull: string;
  /** The page's headers: `plain` may be shared, a 304 leaves out `plainOfFull`, `own` is never shared. */
  readonly plain: string;
  readonly plainOfFull: string;
  readonly own: string;
  /** Surrogate keys with spaces between them, for three headers. */
  readonly surrogateKeys: string;
}

export type AllowedCaching = 'fresh' | 'stale' | 'none';

const CONTENT_FIELDS: ReadonlySet<string> = new Set(['Content-Type', 'Link']);
const OWN_FIELDS: ReadonlySet<string> = new Set(['ETag']);
const KEYS_FIELD = 'Surrogate-Key';

const shared = boundedMap<string>(1_000);

function sharedLines(fields: Fields): string {
  const lines = headLines(fields);
  const known = shared.get(lines);
  if (known !== undefined) return known;
  shared.set(lines, lines);
  return lines;
}

/** @param common the headers of every answer. A page's header replaces one of the same name. */
export function pageHead(common: Fields, own: Fields): PageHead {
  const names = new Set(own.map(([name]) => name));
  const isData = own.some(([name, value]) => name === 'Content-Type' && value.startsWith('application/json'));
  const ofSite = (isData ? dataHeaders(common) : common).filter(([name]) => !names.has(name));
  const others = own.filter(([name]) => !OWN_FIELDS.has(name) && name !== KEYS_FIELD);
  return {
    site: sharedLines(ofSite.filter(([name]) => !OF_DOCUMENTS.has(name))),
    siteOfFull: sharedLines(ofSite.filter(([name]) => OF_DOCUMENTS.has(name))),
    plain: sharedLines(others.filter(([name]) => !CONTENT_FIELDS.has(name))),
    plainOfFull: sharedLines(others.filter(([name]) => CONTENT_FIELDS.has(name))),
    own: headLines(own.filter(([name]) => OWN_FIELDS.has(name))),
    surrogateKeys: checkedKeys(own.find(([name]) => name === KEYS_FIELD)?.[1] ?? ''),
  };
}

export function linesOf304(
  { site, plain, own, surrogateKeys }: PageHead,
  caching: AllowedCaching = 'fresh',
): string {
  const hasKeys = surrogateKeys !== '' && caching !== 'none';
  return site + plainWith(plain, caching) + own + (hasKeys ? surrogateLines(surrogateKeys) : '');
}

export function linesOfFull(head: PageHead, caching: AllowedCaching = 'fresh'): string {
  return linesOf304(head, caching) + head.siteOfFull + head.plainOfFull;
}

export function ownFields({ plain, plainOfFull, own, surrogateKeys }: PageHead): Fields {
  return [
    ...fieldsOf(plain + plainOfFull + own),
    ...(surrogateKeys === '' ? [] : [[KEYS_FIELD, surrogateKeys] as const]),
  ];
}

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

/** @throws TypeError for surrogate keys that are invalid in a header. */
function checkedKeys(keys: string): string {
  headLines(surrogateFields(keys));
  return keys;
}

function surrogateLines(keys: string): string {
  const list = keys.replaceAll(' ', ',');
  return `Surrogate-Key: ${keys}\r\nCache-Tag: ${list}\r\nEdge-Cache-Tag: ${list}\r\n`;
}
