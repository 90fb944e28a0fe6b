import type { RichAttributes, RichNode, RichText } from '../../../shared/content/rich-text.ts';
import { BLOCK_TAGS, INLINE_TAGS, VOID_TAGS } from '../../../shared/content/rich-text-tags.ts';
import { escapeHtml } from '../../render/document.ts';

const TAGS: ReadonlySet<string> = new Set([...BLOCK_TAGS, ...INLINE_TAGS]);
/** HTML attributes by their names in React, without ids and classes, which could clash in a feed reader. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  alt: 'alt',
  title: 'title',
  width: 'width',
  height: 'height',
  lang: 'lang',
  dir: 'dir',
  colSpan: 'colspan',
  rowSpan: 'rowspan',
  scope: 'scope',
  start: 'start',
  reversed: 'reversed',
  type: 'type',
  cite: 'cite',
  dateTime: 'datetime',
  open: 'open',
};
const ADDRESSES: readonly string[] = ['href', 'src', 'poster'];

/** @param page the base of relative addresses; null for a whole page, which keeps relative ones and ids. */
export function articleHtml(text: RichText, page: string | null): string {
  return text.map(node => nodeHtml(node, page)).join('');
}

function nodeHtml(node: RichNode, page: string | null): string {
  if (typeof node === 'string') return escapeHtml(node);
  const [tag, attributes, children] = node;
  const inner = () => children.map(child => nodeHtml(child, page)).join('');
  // Write a task list's checkbox as a character, because feed readers reject form elements as unsafe.
  if (tag === 'input') return attributes?.checked === true ? '☑ ' : '☐ ';
  if (tag === 'oembed') return filmHtml(attributes, inner(), page);
  // Leave out captions, which need a player with scripts.
  if (tag === 'track') return '';
  if (!TAGS.has(tag)) return inner();
  const isPlayer = tag === 'video' || tag === 'audio';
  const opening = `<${tag}${isPlayer ? ' controls=""' : ''}${attributesHtml(attributes, page)}>`;
  return VOID_TAGS.has(tag) ? opening : `${opening}${inner()}</${tag}>`;
}

/** Writes a video as a link to its page, because feed readers have no player. */
function filmHtml(attributes: RichAttributes | null, inner: string, page: string | null): string {
  const { href, 'data-provider': provider } = attributes ?? {};
  const link = attributesHtml({ href: href ?? page ?? '' }, page);
  return `<p><a${link}>${inner || escapeHtml(String(provider ?? href ?? ''))}</a></p>`;
}

function attributesHtml(attributes: RichAttributes | null, page: string | null): string {
  return Object.entries(attributes ?? {})
    .map(([name, value]) => {
      if (ADDRESSES.includes(name)) {
        const address = page === null ? String(value) : URL.parse(String(value), page)?.href;
        return address === undefined ? '' : ` ${name}="${escapeHtml(address)}"`;
      }
      const html = name === 'id' && page === null ? name : ATTRIBUTES[name];
      if (html === undefined || value === false) return '';
      return ` ${html}="${value === true ? '' : escapeHtml(String(value))}"`;
    })
    .join('');
}
