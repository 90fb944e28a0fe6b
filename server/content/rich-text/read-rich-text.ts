import type { RichHeading, RichNode, RichText } from '../../../shared/content/rich-text.ts';
import { BLOCKS } from './vocabulary.ts';

/** Minutes of reading, at 220 words a minute, at least 1. */
export function readingMinutes(tree: RichText): number {
  return Math.max(1, Math.round(plainText(tree).split(' ').length / 220));
}

/** The headings of levels 2 and 3 in their order, for a table of contents. */
export function headings(tree: RichText): RichHeading[] {
  const found: RichHeading[] = [];
  for (const node of tree) {
    if (typeof node === 'string') continue;
    const [tag, attributes, children] = node;
    const id = attributes?.id;
    if ((tag === 'h2' || tag === 'h3') && typeof id === 'string') {
      found.push({ id, text: plainText(children), level: tag === 'h2' ? 2 : 3 });
    } else {
      found.push(...headings(children));
    }
  }
  return found;
}

/** The text of a tree without markup, white space collapsed. */
export function plainText(tree: RichText): string {
  const text = (node: RichNode): string => {
    if (typeof node === 'string') return node;
    const inner = node[2].map(text).join('');
    return BLOCKS.has(node[0]) || node[0] === 'br' ? ` ${inner} ` : inner;
  };
  return tree.map(text).join('').replace(/\s+/g, ' ').trim();
}

/** Writes the versions of files into the addresses of files and links in a tree that is not published yet. */
export function versionFiles(tree: RichText, withVersion: (address: string) => string): void {
  for (const node of tree) {
    if (typeof node === 'string') continue;
    const [, attributes, children] = node;
    for (const name of ['src', 'href', 'poster'] as const) {
      const address = attributes?.[name];
      if (attributes && typeof address === 'string')
        Object.assign(attributes, { [name]: withVersion(address) });
    }
    versionFiles(children, withVersion);
  }
}

/** The attributes of a picture in a tree that is not published yet, so they may still be completed. */
export interface UnsizedPicture {
  readonly src: string;
  width?: number;
  height?: number;
}

/** The pictures of a tree without a size in their source. */
export function unsizedPictures(tree: RichText): UnsizedPicture[] {
  return tree.flatMap(node => {
    if (typeof node === 'string') return [];
    const [tag, attributes, children] = node;
    if (tag !== 'img') return unsizedPictures(children);
    return attributes?.width && attributes.height ? [] : [attributes as unknown as UnsizedPicture];
  });
}
