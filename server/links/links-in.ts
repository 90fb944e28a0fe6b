import { descriptions } from '../../shared/content/content-types.ts';
import { isObject } from '../wire/wire.ts';

/** A link of an entry, with the place of its field, such as `questions[2].answer`. */
export interface FoundLink {
  readonly field: string;
  readonly href: string;
}

/** Not a link: search engines read this address, and no visitor follows it. */
const CANONICAL = 'canonicalURL';
const ADDRESSES: ReadonlySet<string> = new Set(
  Object.values(descriptions).flatMap(({ fields }) =>
    Object.keys(fields).filter(name => fields[name]?.kind === 'address' && name !== CANONICAL),
  ),
);

/** Lists the links in decoded content: values of address fields, and links in rich texts. */
export function linksIn(value: unknown): readonly FoundLink[] {
  const found = new Map<string, FoundLink>();

  function note(field: string, href: unknown): void {
    if (typeof href === 'string') found.set(`${field} ${href}`, { field, href });
  }

  function read(inner: unknown, field: string): void {
    if (Array.isArray(inner)) {
      const [tag, attributes, children] = inner;
      const isElement = typeof tag === 'string' && Array.isArray(children);
      if (isElement && isObject(attributes)) note(field, attributes.href);
      // All nodes of a text have the place of the text.
      if (isElement || isText(inner)) for (const node of isElement ? children : inner) read(node, field);
      else inner.forEach((item, at) => void read(item, `${field}[${at}]`));
    } else if (isObject(inner)) {
      for (const [key, one] of Object.entries(inner)) {
        const place = field === '' ? key : key === 'data' ? field : `${field}.${key}`;
        if (ADDRESSES.has(key)) note(place, one);
        // Skip `attributes`, which contains the backend's own values once more.
        if (key !== 'attributes') read(one, place);
      }
    }
  }

  read(value, '');
  return [...found.values()];
}

/** Whether a list is a rich text: its items are texts and elements. */
function isText(list: readonly unknown[]): boolean {
  return list.some(item => Array.isArray(item) && typeof item[0] === 'string');
}
