import type { Element, ElementContent, Properties } from 'hast';
import type { ComponentDescription, SectionTools } from '../../../shared/content/descriptions.ts';
import { inside, isGiven, type ListContext, lose, quoted } from '../../wire/decode-context.ts';
import { isKeyOfComponents, isWhole, itemsAt, notShown } from '../../wire/decode-json.ts';
import { isObject, textOf, unwrap } from '../../wire/wire.ts';
import { element, text } from '../tree/hast-nodes.ts';
import { playerTag } from '../tree/normalize-players.ts';
import { sectionKind } from './texts-for-readers.ts';

type Values = Readonly<Record<string, unknown>>;

/** @returns the elements of a section; null for an unknown component. Reports what is not shown. */
export function sectionElements(
  section: Values,
  tools: Pick<SectionTools, 'richText' | 'words'>,
  context: ListContext,
): ElementContent[] | null {
  const kind = sectionKind(String(section.__component));
  if (!kind) return null;
  const leaveOut = (reason: string) => lose(context, 'value-left-out', reason);
  const values = valuesOf(kind, section, context);
  const shown = kind.read(values, { ...tools, leaveOut, quoted, text, element, media, figure });
  if (shown.length === 0) leaveOut('it has no content, and nothing is shown');
  return shown;
}

/** @returns each field's value, from the first of its keys that has one. Reports values that are not used. */
function valuesOf({ fields }: ComponentDescription, given: Values, context: ListContext): Values {
  const unread = new Set(Object.keys(given).filter(key => !isKeyOfComponents(key) && isGiven(given[key])));
  const values = Object.entries(fields).map(([name, field]) => {
    const key = [name, ...(field.orElse ?? [])].find(one => isGiven(given[one])) ?? name;
    unread.delete(key);
    const value = isGiven(given[key]) ? given[key] : undefined;
    const isList = field.kind === 'list';
    return [name, isList ? itemsOf(field.component, value, inside(context, key)) : value] as const;
  });
  if (unread.size > 0) lose(context, 'value-left-out', `${[...unread].map(quoted).join(', ')} is not shown`);
  return Object.fromEntries(values);
}

/** Reads a list of components, or JSON of the same form. Reports each item that is not shown. */
function itemsOf(component: ComponentDescription, value: unknown, context: ListContext): readonly Values[] {
  return itemsAt(unwrap(value), context).flatMap(([item, at]) => {
    if (isObject(item)) {
      const values = valuesOf(component, item, at);
      return isWhole(component, values, item, at) ? [values] : [];
    }
    if (isGiven(item)) lose(at, 'value-left-out', notShown(item, component.noun));
    return [];
  });
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

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)(?:[?#]|$)/i;

type Medium = NonNullable<ReturnType<typeof mediumOf>>;

/** Decodes a file of the media library in any format of Strapi's responses, or an address. */
function mediumOf(value: unknown) {
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
