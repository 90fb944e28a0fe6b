import type { ZonePart } from '../../../shared/content/descriptions.ts';
import type { RichHeading, RichNode, RichText } from '../../../shared/content/rich-text.ts';
import type { UnsizedPicture } from '../../wire/decode-context.ts';
import { BLOCKS } from './vocabulary.ts';

/** @returns the body and the texts between the page's blocks: feeds and Markdown have texts but no blocks. */
export function wholeText({ body, sections }: { body: RichText; sections: readonly ZonePart[] }): RichText {
  return sections.length === 0
    ? body
    : [...body, ...sections.flatMap(part => ('text' in part ? part.text : []))];
}

export function readingMinutes(tree: RichText): number {
  return Math.max(1, Math.round(plainText(tree).split(' ').length / 220));
}

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

/** @returns the text without markup, with white space collapsed. */
export function plainText(tree: RichText): string {
  const text = (node: RichNode): string => {
    if (typeof node === 'string') return node;
    const inner = node[2].map(text).join('');
    return BLOCKS.has(node[0]) || node[0] === 'br' ? ` ${inner} ` : inner;
  };
  return tree.map(text).join('').replace(/\s+/g, ' ').trim();
}

/** Adds versions to the addresses of files, in place. Call it only before other code uses the tree. */
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

export function unsizedPictures(tree: RichText): UnsizedPicture[] {
  return tree.flatMap(node => {
    if (typeof node === 'string') return [];
    const [tag, attributes, children] = node;
    if (tag !== 'img') return unsizedPictures(children);
    return attributes?.width && attributes.height ? [] : [attributes as unknown as UnsizedPicture];
  });
}
