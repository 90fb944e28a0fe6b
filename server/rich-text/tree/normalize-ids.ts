import type { Root } from 'hast';
import { setOf } from '../nodes/vocabulary.ts';
import { eachElement } from './hast-nodes.ts';

/** Ids that the page itself uses, so that a text gets others. React uses ids that begin with `_` or `:`. */
const RESERVED_IDS = setOf(
  'root app page-data content main header footer nav navigation menu search top title form error announcer ' +
    'contacts subscribe subscribe-email faq countries payments directions partners metrics earn-more earnmore hero',
);
const RESERVED_PATTERN =
  /^[_:]|^(?:category|corridor)-|-title$|^(?:contact|subscribe)-(?:name|email|company|topic|message|website)(?:-error)?$/;

function notReserved(id: string): string {
  return RESERVED_IDS.has(id.toLowerCase()) || RESERVED_PATTERN.test(id) ? `section-${id}` : id;
}

export function numberedId(id: string, number: number): string {
  return notReserved(`${id}-${number}`);
}

/** @returns a readable id of up to 80 characters without spaces. A reserved id gets a prefix. */
export function normalizedId(source: string): string {
  const readable = [...source.replace(/[^\p{L}\p{M}\p{N}_.:-]+/gu, '-')].slice(0, 80).join('');
  return notReserved(readable.replace(/^-+/, '') || 'section');
}

/** Makes ids unique: `fees`, `fees-1`, `section-contacts`. @returns final ids by source ids, for `#links`. */
export function normalizeIds(tree: Root): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  const counts = new Map<string, number>();
  eachElement(tree, node => {
    const source = node.properties.id;
    if (source === undefined || source === null) return;
    const id = normalizedId(String(source));
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
