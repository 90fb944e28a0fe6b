import type { Root } from 'hast';
import { eachElement } from './each-element.ts';

/**
 * Ids of the page's own sections, titles and root. No element of a text may have them, nor ids that begin with `_` or `:`, which are
 * React's.
 */
const RESERVED_IDS: ReadonlySet<string> = new Set(
  (
    'root app page-data content main header footer nav navigation menu search top title form error announcer ' +
    'contacts subscribe subscribe-email faq countries payments directions partners metrics earn-more earnmore hero'
  ).split(' '),
);
const RESERVED_PATTERN =
  /^[_:]|^(?:category|corridor)-|-title$|^(?:contact|subscribe)-(?:name|email|company|topic|message|website)(?:-error)?$/;

/** @returns the id with a prefix if the site itself uses the id on some page. */
function notReserved(id: string): string {
  return RESERVED_IDS.has(id.toLowerCase()) || RESERVED_PATTERN.test(id) ? `section-${id}` : id;
}

/** @returns the id with a number, and none of the site's own. */
export function numberedId(id: string, number: number): string {
  return notReserved(`${id}-${number}`);
}

/** @returns an id for a text of an editor: readable, without spaces, and none of the site's own. */
export function settledId(source: string): string {
  const readable = [...source.replace(/[^\p{L}\p{M}\p{N}_.:-]+/gu, '-')].slice(0, 80).join('');
  return notReserved(readable.replace(/^-+/, '') || 'section');
}

/**
 * Makes every id unique in its text and different from the page's own. Ids stay readable: `fees`, `fees-1`, and
 * `section-contacts` for a reserved one.
 *
 * @returns source id → final id, for `#links` inside the text.
 */
export function settleIds(tree: Root): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  const counts = new Map<string, number>();
  eachElement(tree, node => {
    const source = node.properties.id;
    if (source === undefined || source === null) return;
    const id = settledId(String(source));
    let unique = id;
    for (let count = counts.get(id) ?? 0; counts.has(unique); unique = numberedId(id, count)) {
      count += 1;
      counts.set(id, count);
    }
    counts.set(unique, 0);
    node.properties.id = unique;
    if (!aliases.has(String(source))) aliases.set(String(source), unique);
  });
  return aliases;
}
