import type { Element, ElementContent, Properties } from 'hast';
import type { SectionTools } from '../../../shared/content/descriptions.ts';
import { isGiven, quoted } from '../../wire/decode-context.ts';
import { isObject, jsonOf, textOf, unwrap } from '../../wire/wire.ts';
import { element, text } from '../tree/hast-nodes.ts';
import { playerTag } from '../tree/normalize-players.ts';
import { sectionKind } from './texts-for-readers.ts';

const OF_STRAPI: ReadonlySet<string> = new Set(['id', 'documentId', '__component']);

/** @returns the elements of a section; null for other components. */
export function sectionElements(
  section: Readonly<Record<string, unknown>>,
  tools: Pick<SectionTools, 'richText' | 'words' | 'leaveOut'>,
): ElementContent[] | null {
  const kind = sectionKind(String(section.__component));
  if (!kind) return null;
  const keys = Object.entries(kind.fields).map(([name, { orElse = [] }]) => {
    const given = [name, ...orElse].find(key => isGiven(section[key]));
    return { name, given };
  });
  const unread = Object.keys(section).filter(
    key => !OF_STRAPI.has(key) && isGiven(section[key]) && !keys.some(({ given }) => given === key),
  );
  if (unread.length > 0) tools.leaveOut(`${unread.map(quoted).join(', ')} is not shown`);
  const values = keys.map(({ name, given }) => [name, given === undefined ? undefined : section[given]]);
  const shown = kind.read(Object.fromEntries(values), {
    ...tools,
    quoted,
    text,
    element,
    media,
    rows,
    figure,
  });
  if (shown.length === 0) tools.leaveOut('it has no content, and nothing is shown');
  return shown;
}

function media(
  value: unknown,
  { poster, captions }: { poster?: unknown; captions?: unknown } = {},
): ReturnType<SectionTools['media']> {
  const list = unwrap(value);
  return (Array.isArray(list) ? list : [list]).flatMap(file => {
    const medium = mediumOf(file);
    if (!medium) return [];
    const shown = shownMedium(medium, mediumOf(poster)?.url, mediumOf(captions)?.url);
    return [{ shown, caption: medium.caption }];
  });
}

export function rows(value: unknown): ReturnType<SectionTools['rows']> {
  const list = jsonOf(unwrap(value));
  return Array.isArray(list) ? list.filter(isObject) : [];
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)(?:[?#]|$)/i;

interface Medium {
  url: string;
  mime: string;
  alt: string;
  caption: unknown;
  size: { width?: number; height?: number };
}

/** Decodes a file of the media library in any form of Strapi's answers, or an address. */
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

/** @returns a picture, a player, or a link to a document. */
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

/** @returns content with its caption, if any. */
function figure(
  content: readonly ElementContent[],
  caption: string | null,
  properties: Properties = {},
): ElementContent[] {
  const [only] = content;
  const isDocument = only?.type === 'element' && only.tagName === 'p';
  if (isDocument) return caption === null ? [...content] : [...content, element('p', [text(caption)])];
  const words = caption === null ? [] : [element('figcaption', [text(caption)])];
  return [element('figure', [...content, ...words], properties)];
}
