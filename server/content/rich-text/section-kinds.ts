import type { Element, ElementContent } from 'hast';
import type { SectionName } from '../../../shared/content/components.ts';
import { isGiven, quoted } from '../decode/decode-context.ts';
import { isObject, textOf, unwrap } from '../decode/wire.ts';
import { element, text } from './hast-nodes.ts';
import { sectionName } from './section-names.ts';
import { toneOf } from './settle-callouts.ts';
import { playerTag } from './settle-players.ts';

/** The work that readers of sections leave to the walk through the whole text. */
export interface SectionTools {
  /** @returns the elements of Markdown, HTML or Blocks. */
  richText(value: unknown): ElementContent[];
  /** @returns a text of one line within the bound of all texts; null without one. */
  words(value: unknown): string | null;
  /** Notes a part of the section that is not shown. */
  leaveOut(reason: string): void;
}

type Section = Readonly<Record<string, unknown>>;

interface SectionKind {
  /** The keys that a section may have. The first name of each is that of `shared/content/components.ts`; others are of common Strapi projects. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** @param values by the first names of the keys. @returns nothing for a section without content. */
  read(values: Section, tools: SectionTools): ElementContent[];
}

/**
 * The kinds of sections that a dynamic zone may have. A further kind is a component in `shared/content/components.ts` and a reader here, which
 * makes elements that the sanitiser knows. The reader sees what an editor has typed: `settle-players.ts`, `show-lost.ts` and the sanitiser check it.
 */
const SECTION_KINDS: Readonly<Record<SectionName, SectionKind>> = {
  'text-section': {
    keys: { body: ['text', 'content'] },
    read: ({ body }, { richText }) => richText(body),
  },
  'quote-section': {
    keys: { text: ['body', 'quote'], name: ['title', 'author'], position: [], href: ['url'] },
    read({ text: quotation, name, position, href }, { richText, words }) {
      const shown = richText(quotation);
      const speaker = words(name);
      const source = [speaker, words(position)].filter(word => word !== null).join(', ');
      if (shown.length === 0) return [];
      const cited = isGiven(href)
        ? element('a', [text(source || String(href))], { href: String(href) })
        : text(source);
      const cite = source === '' && !isGiven(href) ? [] : [element('p', [element('cite', [cited])])];
      return [element('blockquote', [...shown, ...cite])];
    },
  },
  'media-section': {
    keys: { file: ['media', 'image', 'video'], caption: [], poster: [], captions: [] },
    read({ file, caption, poster, captions }, tools) {
      const medium = mediumOf(file);
      if (!medium) return [];
      const words = tools.words(caption) ?? tools.words(medium.caption);
      const tracks = mediumOf(captions);
      return figure([shownMedium(medium, mediumOf(poster)?.url, tracks?.url)], words);
    },
  },
  'gallery-section': {
    keys: { files: ['images', 'media', 'slides'], caption: ['title'] },
    read({ files, caption }, tools) {
      const list = unwrap(files);
      const pictures = [Array.isArray(list) ? list : [list]].flat().flatMap(value => {
        const medium = mediumOf(value);
        return medium ? figure([shownMedium(medium)], tools.words(medium.caption)) : [];
      });
      if (pictures.length === 0) return [];
      return figure(pictures, tools.words(caption), { dataGallery: '' });
    },
  },
  'callout-section': {
    keys: { tone: ['type', 'variant'], title: [], body: ['text', 'content'] },
    read({ tone, title, body }, { richText, words, leaveOut }) {
      const name = words(title);
      const shown = [
        ...(name === null ? [] : [element('p', [element('strong', [text(name)])])]),
        ...richText(body),
      ];
      const dataTone = toneOf(String(tone ?? 'note'));
      if (dataTone === null)
        leaveOut(`the kind ${quoted(tone)} is none of note, tip and warning: it is shown as a note`);
      return shown.length === 0 ? [] : [element('aside', shown, { dataTone: dataTone ?? 'note' })];
    },
  },
  'embed-section': {
    keys: { href: ['url', 'link', 'address'], title: [], poster: ['image', 'cover'], caption: [] },
    read({ href, title, poster, caption }, { words }) {
      if (!isGiven(href)) return [];
      const picture = mediumOf(poster);
      const name = words(title);
      const properties = { url: String(href), ...(name === null ? {} : { title: name }) };
      return figure([element('oembed', picture ? [shownMedium(picture)] : [], properties)], words(caption));
    },
  },
};

/** Keys that Strapi sets itself. */
const OF_STRAPI: ReadonlySet<string> = new Set(['id', 'documentId', '__component']);

/** @returns the elements of a section; null for a component that is none. */
export function sectionElements(section: Section, tools: SectionTools): ElementContent[] | null {
  const name = sectionName(String(section.__component));
  if (name === null) return null;
  const kind = SECTION_KINDS[name];
  const names = Object.entries(kind.keys).map(([name, others]) => [name, ...others]);
  const values = names.map(
    all => [all[0] ?? '', section[all.find(key => isGiven(section[key])) ?? '']] as const,
  );
  const unread = Object.keys(section).filter(
    key =>
      !OF_STRAPI.has(key) &&
      isGiven(section[key]) &&
      !names.some(all => all.find(one => isGiven(section[one])) === key),
  );
  if (unread.length > 0) tools.leaveOut(`${unread.map(quoted).join(', ')} is not shown`);
  const shown = kind.read(Object.fromEntries(values), tools);
  if (shown.length === 0) tools.leaveOut('it has no content, and nothing is shown');
  return shown;
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)(?:[?#]|$)/i;

interface Medium {
  url: string;
  mime: string;
  alt: string;
  caption: unknown;
  size: { width?: number; height?: number };
}

/** @returns a file of the media library in any form of Strapi's answers, or an address; null for none. */
function mediumOf(value: unknown): Medium | null {
  const bare = unwrap(value);
  const first: unknown = Array.isArray(bare) ? bare[0] : bare;
  const object = typeof first === 'string' ? { url: first } : first;
  const attributes = isObject(object) && isObject(object.attributes) ? object.attributes : object;
  if (!isObject(attributes) || !isGiven(attributes.url)) return null;
  const { url, mime, alternativeText, caption, width, height } = attributes;
  return {
    url: String(url),
    mime: String(mime ?? ''),
    alt: textOf(alternativeText) ?? '',
    caption,
    size: typeof width === 'number' && typeof height === 'number' ? { width, height } : {},
  };
}

/** @returns the element for a file: a picture, a player, or a link to a document. */
function shownMedium({ url, mime, alt, size }: Medium, poster?: string, captions?: string): Element {
  const ofMime = /^(?:video|audio)(?=\/)/.exec(mime)?.[0];
  const tag = ofMime ?? playerTag(url);
  if (tag) {
    const track = captions ? [element('track', [], { src: captions, kind: 'captions' })] : [];
    return element(tag, track, {
      src: url,
      ...(alt ? { ariaLabel: alt } : {}),
      ...(poster ? { poster } : {}),
    });
  }
  if (mime === '' ? PICTURE.test(url) : mime.startsWith('image/'))
    return element('img', [], { src: url, alt, ...size });
  return element('p', [element('a', [text(alt || (url.split('/').at(-1) ?? url))], { href: url })]);
}

/** @returns content with its caption; the content alone without one. */
function figure(
  content: ElementContent[],
  caption: string | null,
  properties: Element['properties'] = {},
): ElementContent[] {
  const [only] = content;
  const isDocument = only?.type === 'element' && only.tagName === 'p';
  if (isDocument) return caption === null ? content : [...content, element('p', [text(caption)])];
  const words = caption === null ? [] : [element('figcaption', [text(caption)])];
  return [element('figure', [...content, ...words], properties)];
}
