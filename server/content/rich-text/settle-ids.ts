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
const RESERVED_PATTERN = /^[_:]|^(?:category|corridor)-|-title$/;

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
    let id = [...String(source).replace(/[^\p{L}\p{M}\p{N}_.:-]+/gu, '-')].slice(0, 80).join('');
    id = id.replace(/^-+/, '') || 'section';
    if (RESERVED_IDS.has(id.toLowerCase()) || RESERVED_PATTERN.test(id)) id = `section-${id}`;
    let unique = id;
    for (let count = counts.get(id) ?? 0; counts.has(unique); unique = `${id}-${count}`) {
      count += 1;
      counts.set(id, count);
    }
    counts.set(unique, 0);
    node.properties.id = unique;
    if (!aliases.has(String(source))) aliases.set(String(source), unique);
  });
  return aliases;
}
