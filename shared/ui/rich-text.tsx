import { createElement, Fragment, type ReactNode } from 'react';
import type { RichAttributes, RichNode, RichText as RichTextTree } from '../content/rich-text.ts';
import { BLOCK_TAGS, INLINE_TAGS, VOID_TAGS } from '../content/rich-text-tags.ts';
import type { PageLabels } from '../labels/labels.ts';
import { useLabels } from '../labels/labels-context.ts';
import { Link } from './link.tsx';
import { Picture } from './picture.tsx';
import styles from './rich-text.module.css';
import { ServedElement } from './served-element.tsx';

/** The elements that may be rendered. The server has already sanitised the tree: this is a second check. */
const TAGS: ReadonlySet<string> = new Set([...BLOCK_TAGS, ...INLINE_TAGS, 'span']);
/** Pictures are as wide as figures: 48rem, or the screen. */
const SIZES = '(width >= 52rem) 48rem, 92vw';
const FORBIDDEN_ATTRIBUTES = /^(?:on|style$|dangerously|ref$|key$|children$|srcDoc$)/i;

type Attribute = string | number | boolean | undefined;

const NO_ATTRIBUTES: Readonly<Record<string, Attribute>> = {};

function safeAttributes(attributes: RichAttributes | null): Readonly<Record<string, Attribute>> {
  if (attributes === null) return NO_ATTRIBUTES;
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => !FORBIDDEN_ATTRIBUTES.test(name))
      // Markdown tables set `align`, which HTML no longer has. The stylesheet reads `data-align`.
      .map(([name, value]) => [name === 'align' ? 'data-align' : name, value]),
  );
}

/** The surroundings of a text's nodes. */
interface Place {
  labels: PageLabels;
  partOf: string | undefined;
}

function renderAll(nodes: RichTextTree, place: Place): ReactNode[] {
  return nodes.map(node => renderNode(node, place));
}

function renderNode(node: RichNode, place: Place): ReactNode {
  const { labels, partOf } = place;
  if (typeof node === 'string') return node;
  const [tag, rawAttributes, nodes] = node;
  const attributes = safeAttributes(rawAttributes);
  const children = renderAll(nodes, place);
  if (tag === 'a') {
    const { href, ...rest } = attributes;
    if (typeof href !== 'string') return createElement(Fragment, null, ...children);
    return createElement(Link, { href, ...rest }, ...children);
  }
  if (tag === 'input') {
    return attributes.type === 'checkbox'
      ? createElement('input', {
          type: 'checkbox',
          disabled: true,
          defaultChecked: attributes.checked === true,
          'aria-label': labels.text(attributes.checked === true ? 'done' : 'toDo'),
        })
      : null;
  }
  if (!TAGS.has(tag)) return createElement(Fragment, null, ...children);
  if (tag === 'img') return createElement(RichPicture, attributes);
  if (VOID_TAGS.has(tag)) return createElement(tag, attributes);
  if (tag !== 'pre' && tag !== 'table') return createElement(tag, attributes, ...children);
  // Code and tables may be wider than a phone: they scroll in a region that the keyboard reaches.
  const { 'aria-label': label, ...others } = attributes;
  const region = { role: 'region', tabIndex: 0, 'aria-label': partOf ? `${label} – ${partOf}` : label };
  if (tag === 'pre') return createElement(tag, { ...others, ...region }, ...children);
  const table = createElement(tag, others, ...children);
  return createElement('div', { ...region, className: styles.scroll, 'data-scroll-area': '' }, table);
}

/** A picture in a text. Its size is known if the author has given it or the server has found it. */
function RichPicture({ src, alt, width, height, scaled, ...rest }: Record<string, Attribute>) {
  const size =
    width && height ? { width: Number(width), height: Number(height) } : { width: null, height: null };
  const image = { src: String(src), alt: String(alt ?? ''), ...size, formats: [], scaled: scaled === true };
  return createElement(Picture, { ...rest, image, sizes: SIZES, fills: false });
}

interface RichTextProps {
  content: RichTextTree;
  /** The title that this text belongs to, on a page with several texts. It keeps the names of their tables apart. */
  partOf?: string;
  className?: string | undefined;
}

/** Rich text of the content, in one column of readable width. */
export function RichText({ content, partOf, className }: RichTextProps) {
  const classes = [styles.root, className].filter(Boolean).join(' ');
  return (
    <ServedElement as="div" source={content} className={classes} dir="auto">
      <Nodes content={content} partOf={partOf} />
    </ServedElement>
  );
}

/** A component, so that a browser that keeps the server's markup does not even create the elements. */
function Nodes({ content, partOf }: { content: RichTextTree; partOf: string | undefined }): ReactNode {
  return createElement(Fragment, null, ...renderAll(content, { labels: useLabels(), partOf }));
}
