import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toString as textOfNode } from 'hast-util-to-string';
import type { MediaPolicy } from '../../addresses/safe-address.ts';
import type { EmbedProvider } from '../../config/embed-providers.ts';
import { isGiven } from '../../wire/decode-context.ts';
import { setOf } from '../nodes/vocabulary.ts';
import { embedAt } from './embeds.ts';
import { element, text } from './hast-nodes.ts';
import { ADDRESSES } from './show-lost.ts';

interface PlayerTools {
  readonly media: MediaPolicy;
  readonly providers: readonly EmbedProvider[];
}

interface FoundPlayer {
  readonly shown: Element;
  readonly player: Element;
}

const PLACES = setOf(
  'root div section article main header footer nav address center fieldset aside figure li td th dd blockquote details',
);
/** Elements that may contain elements of PLACES, but cannot contain a player directly. */
const BETWEEN = setOf('ul ol dl table thead tbody tfoot tr');
const FRAMES = setOf('iframe oembed embed object');
const TRACKS = setOf('captions subtitles descriptions chapters');
const FILM = /\.(?:mp4|m4v|webm|ogv|mov)(?:[?#]|$)/i;
const SOUND = /\.(?:mp3|m4a|ogg|oga|opus|wav|flac|aac)(?:[?#]|$)/i;
/** A title that providers put into every frame, without the video's name. */
const EMPTY_TITLE = /^(?:\w+ )?video player$/i;

export function playerTag(address: string): 'video' | 'audio' | null {
  return FILM.test(address) ? 'video' : SOUND.test(address) ? 'audio' : null;
}

/**
 * Turns providers' videos into `<oembed url>`, and media files into `<video src>` and `<audio src>`, in
 * place. A paragraph is split at a player. A provider's address alone on a line becomes a player. A player in
 * a link or heading stays as it is.
 */
export function normalizePlayers(tree: Root, tools: PlayerTools): ReadonlySet<Element> {
  const players = new Set<Element>();
  visit(tree, false, tools, players);
  return players;
}

function visit(parent: Root | Element, isInText: boolean, tools: PlayerTools, players: Set<Element>): void {
  const tag = parent.type === 'root' ? 'root' : parent.tagName;
  const isPlace = !isInText && PLACES.has(tag);
  const children = (parent.children as RootContent[]).flatMap((node): RootContent[] => {
    if (node.type !== 'element') return [node];
    const found = isPlace ? foundIn(node, tools) : null;
    if (found) {
      players.add(found.player);
      return [found.shown];
    }
    if (isPlace && node.tagName === 'p') return divided(node, tools, players);
    visit(node, isInText || !(isPlace || BETWEEN.has(tag)), tools, players);
    return [node];
  });
  // The cast is safe: elements and texts fit into both kinds of parents.
  parent.children = children as ElementContent[];
}

function divided(paragraph: Element, tools: PlayerTools, players: Set<Element>): Element[] {
  const parts: Element[] = [];
  let run: ElementContent[] = [];
  const close = () => {
    const children = withoutBreaks(run);
    if (children.some(node => !isBlank(node)))
      parts.push({ ...paragraph, properties: parts.length === 0 ? paragraph.properties : {}, children });
    run = [];
  };
  const { children } = paragraph;
  for (const [index, node] of children.entries()) {
    const found = foundIn(node, tools) ?? (isLine(children, index) ? ofAddress(node, tools) : null);
    if (found) {
      close();
      players.add(found.player);
      parts.push(found.shown);
    } else run.push(node);
  }
  if (parts.length === 0) return [paragraph];
  close();
  return parts;
}

function foundIn(node: ElementContent, tools: PlayerTools): FoundPlayer | null {
  if (node.type !== 'element') return null;
  const { tagName, properties } = node;
  if (tagName === 'video' || tagName === 'audio') return ofFile(node, tagName, tools);
  if (tagName === 'img') return ofPicture(node, tools);
  if (!FRAMES.has(tagName) && !isGiven(properties.dataOembedUrl)) return null;
  const address = ADDRESSES.map(name => properties[name]).find(isGiven);
  return embed(address, [properties.title, properties.ariaLabel].find(isGiven), node, tools);
}

/** Reads a link whose text is its own address, or a text that is only an address. */
function ofAddress(node: ElementContent, tools: PlayerTools): FoundPlayer | null {
  const text = node.type === 'comment' ? '' : textOfNode(node).trim();
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (node.type === 'text') return text === address ? embed(address, null, null, tools) : null;
  if (node.type !== 'element' || node.tagName !== 'a') return null;
  const found = embed(node.properties.href, null, null, tools);
  return found?.player.properties.url === embedAt(address, tools.providers)?.page ? found : null;
}

/** The player keeps the id and the first picture of `from`, the element that it replaces. */
function embed(
  address: unknown,
  title: unknown,
  from: Element | null,
  tools: PlayerTools,
): FoundPlayer | null {
  const found = embedAt(address, tools.providers);
  if (!found) return null;
  const picture = from?.children.find(child => child.type === 'element' && child.tagName === 'img');
  const name = isGiven(title) && !EMPTY_TITLE.test(String(title).trim()) ? String(title).trim() : null;
  const children = [...(picture ? [picture] : []), ...(name ? [text(name)] : [])];
  const player = element('oembed', children, { id: from?.properties.id, url: found.page });
  return { shown: player, player };
}

function ofFile(source: Element, tagName: 'video' | 'audio', tools: PlayerTools): FoundPlayer | null {
  const { id, src, poster, title, ariaLabel, width, height } = source.properties;
  const inner = source.children.filter(child => child.type === 'element');
  const sources = [
    src,
    ...inner.filter(child => child.tagName === 'source').map(({ properties }) => properties.src),
  ];
  const address = sources.find(address => isShownFile(address, tools));
  if (address === undefined) return null;
  const tracks = inner.filter(
    ({ tagName: tag, properties }) =>
      tag === 'track' &&
      TRACKS.has(String(properties.kind ?? 'subtitles')) &&
      isShownFile(properties.src, tools),
  );
  const size =
    tagName === 'video' ? { width, height, poster: isShownFile(poster, tools) ? poster : undefined } : {};
  const label = [ariaLabel, title].find(isGiven);
  const player = element(tagName, tracks, { id, src: address, ariaLabel: label, ...size });
  return { shown: player, player };
}

/** Reads a media file in Markdown's syntax for pictures: `![words](/uploads/film.mp4 "caption")`. */
function ofPicture({ properties }: Element, tools: PlayerTools): FoundPlayer | null {
  const { src, alt, title, width, height } = properties;
  const tagName = typeof src === 'string' && isShownFile(src, tools) ? playerTag(src) : null;
  if (!tagName) return null;
  const size = tagName === 'video' ? { width, height } : {};
  const player = element(tagName, [], { src, ariaLabel: isGiven(alt) ? alt : undefined, ...size });
  if (!isGiven(title)) return { shown: player, player };
  const caption = element('figcaption', [text(String(title))]);
  return { shown: element('figure', [player, caption]), player };
}

function isShownFile(address: unknown, { media }: PlayerTools): boolean {
  return isGiven(address) && media.mediaAddress(address) !== null;
}

/** @returns whether a node of a paragraph is alone on its line. */
function isLine(nodes: readonly ElementContent[], index: number): boolean {
  const before = nodes[index - 1];
  const after = nodes[index + 1];
  return (
    (before === undefined || isBreak(before) || (before.type === 'text' && /\n[ \t]*$/.test(before.value))) &&
    (after === undefined || isBreak(after) || (after.type === 'text' && /^[ \t]*\n/.test(after.value)))
  );
}

function isBreak(node: ElementContent | undefined): boolean {
  return node?.type === 'element' && node.tagName === 'br';
}

function isBlank(node: ElementContent | undefined): boolean {
  return node?.type === 'text' && node.value.trim() === '';
}

function withoutBreaks(nodes: readonly ElementContent[]): ElementContent[] {
  const isShown = (node: ElementContent) => !isBreak(node) && !isBlank(node);
  const kept = nodes.slice(nodes.findIndex(isShown), nodes.findLastIndex(isShown) + 1);
  const first = kept[0];
  const last = kept.at(-1);
  if (first?.type === 'text') kept[0] = { ...first, value: first.value.trimStart() };
  if (last?.type === 'text') {
    const { value } = kept.length === 1 && first?.type === 'text' ? (kept[0] as typeof last) : last;
    kept[kept.length - 1] = { ...last, value: value.trimEnd() };
  }
  return kept;
}
