import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toString as textOfNode } from 'hast-util-to-string';
import { decodeUri } from '../../../shared/routing/decode-uri.ts';
import { refusedLink, refusedMedium } from '../../addresses/decode-addresses.ts';
import { isEntryLink } from '../../addresses/entry-links.ts';
import { type MediaPolicy, safeHref } from '../../addresses/safe-address.ts';
import { isGiven, quoted } from '../../wire/decode-context.ts';
import type { LoseText } from '../../wire/lose-text.ts';
import { setOf } from '../nodes/vocabulary.ts';
import { element, text } from './hast-nodes.ts';
import { isRemoved, isShown } from './sanitise.ts';

/** Attributes that may contain the address of an element's file or page, the preferred first. */
export const ADDRESSES = [...setOf('src data url href dataOembedUrl dataSrc dataUrl')];
const INVISIBLE = setOf('base basefont bgsound col colgroup head link meta param source track wbr');
const EMBEDS = setOf('applet area audio embed iframe object oembed portal video');
/** Elements of forms that do not work on the page. Their texts stay. */
const OF_FORMS = setOf('form button');

/** Replaces elements that pages do not show, such as frames, by their text and a link, in place. */
export function showLost(tree: Root, tools: Tools): Root {
  visit(tree, false, tools);
  return tree;
}

interface Tools {
  media: MediaPolicy;
  lose: LoseText;
  players: ReadonlySet<Element>;
}

function visit(parent: Root | Element, inLink: boolean, tools: Tools): void {
  const children: RootContent[] = [];
  for (const node of parent.children) {
    if (node.type !== 'element') children.push(node);
    else if (!tools.players.has(node)) children.push(...replaced(node, inLink, tools));
    else {
      if (node.tagName === 'oembed') visit(node, true, tools);
      children.push(node);
    }
  }
  // The cast is safe: new children are elements and texts, which fit into both kinds of parents.
  parent.children = children as ElementContent[];
}

function replaced(element: Element, inLink: boolean, tools: Tools): ElementContent[] {
  const { lose } = tools;
  const { tagName, properties } = element;
  const tag = `<${tagName}>`;
  // Drop invisible elements but examine their children: a `colgroup` may contain a `template`.
  if (INVISIBLE.has(tagName))
    return element.children.flatMap(child =>
      child.type === 'element' ? replaced(child, inLink, tools) : [],
    );
  if (tagName === 'img') return [pictureOrText(element, tools)];
  if (tagName === 'input' && properties.type !== 'checkbox') {
    if (properties.type !== 'hidden') lose('element-left-out', `${tag} is not shown`);
    return [];
  }
  if (isRemoved(tagName) && !EMBEDS.has(tagName)) {
    lose('element-left-out', `${tag} is not shown, with all that is in it`);
    return [];
  }
  if (tagName === 'a') noteLostLink(element, inLink, tools);
  if (OF_FORMS.has(tagName))
    lose('shown-as-text', `${tag}: its texts are shown, but nothing can be sent with it`);
  const isBox = isShown(tagName) && !EMBEDS.has(tagName);
  const address = isBox ? addressOfEmptyBox(element) : addressOf(element);
  visit(element, inLink || (tagName === 'a' && properties.href !== undefined), tools);
  return isGiven(address) || EMBEDS.has(tagName) ? embedded(element, address, inLink, tools) : [element];
}

function embedded(
  node: Element,
  address: unknown,
  inLink: boolean,
  { media, lose }: Tools,
): ElementContent[] {
  const tag = `<${node.tagName}>`;
  const { id, title, alt, ariaLabel } = node.properties;
  // Remove the tags in the content of a frame, because the parser returns the content as text.
  const children: ElementContent[] =
    node.tagName === 'iframe' ? [text(withoutTags(textOfNode(node)))] : node.children;
  const content = element('span', children, { id });
  const isEmpty = textOfNode(content).trim() === '';
  const given = [title, alt, ariaLabel].find(isGiven);
  const href = linkTarget(address, media);
  if (href === null || inLink) {
    const shown = isEmpty && given === undefined ? 'nothing is shown instead' : 'its text is shown';
    const why = href ? 'it stands in a link' : isGiven(address) ? refusedLink(address) : 'it has no address';
    lose('shown-as-text', `${tag} is not shown, because ${why}: ${shown}`);
    return isEmpty && given !== undefined ? [{ ...content, children: [text(String(given))] }] : [content];
  }
  lose('shown-as-text', `${tag} is shown as a link to ${quoted(href)}`);
  const label = text(String(given ?? nameOfAddress(href)));
  const link = element('a', [label], { href });
  return isEmpty ? [{ ...content, children: [link] }] : [content, text(' '), link];
}

/** Finds the address of a video that CKEditor has stored without a preview, as an empty element. */
function addressOfEmptyBox({ properties, children }: Element): unknown {
  const isEmpty = children.every(child => child.type === 'text' && !isGiven(child.value));
  return isEmpty ? properties.dataOembedUrl : null;
}

function addressOf({ properties, children }: Element): unknown {
  const own = ADDRESSES.map(name => properties[name]).find(isGiven);
  if (own !== undefined) return own;
  const source = children.find(child => child.type === 'element' && child.tagName === 'source');
  return source?.type === 'element' ? source.properties.src : undefined;
}

function withoutTags(source: string): string {
  return source
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Reports a link that becomes text, because its address is refused or it is inside another link. */
function noteLostLink(element: Element, inLink: boolean, { media, lose }: Tools): void {
  const { href } = element.properties;
  if (!isGiven(href)) return;
  const isRefused = linkTarget(href, media) === null && !isEntryLink(href);
  if (!isRefused && !inLink) return;
  const why = isRefused ? refusedLink(href) : `the link to ${quoted(href)} stands in another link`;
  lose('address-refused', `${why}: ${quoted(textOfNode(element))} is shown without a link`);
}

function linkTarget(address: unknown, media: MediaPolicy): string | null {
  const upload = media.mediaAddress(address);
  return upload?.startsWith('/uploads/') ? upload : safeHref(address);
}

/** @returns a picture; its alternative text and title if its address is refused. */
function pictureOrText(element: Element, { media, lose }: Tools): ElementContent {
  const { src, alt, title } = element.properties;
  if (isGiven(src) && media.mediaAddress(src) !== null) return element;
  const words = [alt, title].filter(isGiven).join(' – ');
  const effect = words === '' ? 'nothing is shown instead' : `${quoted(words)} is shown instead`;
  const why = isGiven(src) ? refusedMedium(src) : 'a picture has no address';
  lose('address-refused', `${why}: ${effect}`);
  return text(words);
}

/** @returns a text for a link without one: the host, or the last part of a path. */
export function nameOfAddress(href: string): string {
  const url = URL.parse(href, 'http://site.invalid');
  if (url && url.hostname !== 'site.invalid' && url.host !== '') return url.host;
  const file = href.split(/[?#]/, 1)[0]?.split('/').findLast(Boolean) ?? href;
  return decodeUri(file) ?? file;
}
