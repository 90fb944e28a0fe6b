import { createElement, Fragment, type ReactNode } from 'react';
import type { RichAttributes, RichNode, RichText as RichTextTree } from '../../content/rich-text.ts';
import { BLOCK_TAGS, INLINE_TAGS, VOID_TAGS } from '../../content/rich-text-tags.ts';
import type { PageLabels } from '../../labels/labels.ts';
import { useLabels } from '../../labels/labels-context.ts';
import { Link } from '../link.tsx';
import { Picture } from '../picture.tsx';
import styles from './rich-parts.module.css';
import { Callout, Code, Film, Heading, LargePicture } from './rich-parts.tsx';

/** The rendered tags, as a second check after the server's sanitising. */
const TAGS: ReadonlySet<string> = new Set([...BLOCK_TAGS, ...INLINE_TAGS, 'span']);
const ANCHORED: ReadonlySet<string> = new Set(['h2', 'h3', 'h4']);
const SIZES = '(width >= 75rem) 60rem, (width >= 64rem) 70vw, 92vw';
const FORBIDDEN_ATTRIBUTES = /^(?:on|style$|dangerously|ref$|key$|children$|srcDoc$)/i;

type Attribute = string | number | boolean | undefined;

const NO_ATTRIBUTES: Readonly<Record<string, Attribute>> = {};

function safeAttributes(attributes: RichAttributes | null): Readonly<Record<string, Attribute>> {
  if (attributes === null) return NO_ATTRIBUTES;
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => !FORBIDDEN_ATTRIBUTES.test(name))
      // Rename `align` of Markdown tables, which HTML no longer has. The stylesheet reads `data-align`.
      .map(([name, value]) => [name === 'align' ? 'data-align' : name, value]),
  );
}

interface Place {
  labels: PageLabels;
  partOf: string | undefined;
  /** The element around the node. A picture can be enlarged in a figure, but not in a link. */
  parent?: 'figure' | 'a';
}

function renderAll(nodes: RichTextTree, place: Place): ReactNode[] {
  return nodes.map(node => renderNode(node, place));
}

function renderNode(node: RichNode, place: Place): ReactNode {
  const { labels, partOf } = place;
  if (typeof node === 'string') return node;
  const [tag, rawAttributes, nodes] = node;
  const attributes = safeAttributes(rawAttributes);
  const children = renderAll(nodes, placeIn(tag, place));
  if (tag === 'a') {
    const { href, ...rest } = attributes;
    if (typeof href !== 'string') return fragment(children);
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
  if (!TAGS.has(tag)) return fragment(children);
  if (tag === 'img') {
    const { src, alt } = attributes;
    const picture = <RichPicture {...attributes} />;
    if (place.parent !== 'figure') return picture;
    return (
      <LargePicture src={src} alt={alt} labels={labels}>
        {picture}
      </LargePicture>
    );
  }
  if (tag === 'aside') {
    return (
      <Callout tone={attributes['data-tone']} labels={labels}>
        {fragment(children)}
      </Callout>
    );
  }
  if (tag === 'oembed') {
    const [first] = nodes;
    const pictures = typeof first === 'object' ? 1 : 0;
    return (
      <Film attributes={attributes} labels={labels} picture={fragment(children.slice(0, pictures))}>
        {children.length > pictures && fragment(children.slice(pictures))}
      </Film>
    );
  }
  if (tag === 'video' || tag === 'audio') {
    const preload = attributes.poster ? 'none' : 'metadata';
    const inline = tag === 'video' ? { playsInline: true } : {};
    return createElement(tag, { controls: true, preload, ...inline, ...attributes }, ...children);
  }
  if (VOID_TAGS.has(tag)) return createElement(tag, attributes);
  const { id } = attributes;
  if (ANCHORED.has(tag) && typeof id === 'string' && place.parent !== 'a')
    return (
      <Heading id={id} labels={labels}>
        {createElement(tag, attributes, ...children)}
      </Heading>
    );
  if (tag !== 'pre' && tag !== 'table') return createElement(tag, attributes, ...children);
  // Let code and tables scroll in a region that takes the keyboard's focus, because they may be too wide.
  const { 'aria-label': label, ...others } = attributes;
  const region = { role: 'region', tabIndex: 0, 'aria-label': partOf ? `${label} – ${partOf}` : label };
  if (tag === 'pre') {
    return <Code labels={labels}>{createElement(tag, { ...others, ...region }, ...children)}</Code>;
  }
  const table = createElement(tag, others, ...children);
  return createElement('div', { ...region, className: styles.scroll, 'data-scroll-area': '' }, table);
}

function fragment(children: ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...children);
}

/** @returns the place of an element's children. Inside a link, it is always the link. */
function placeIn(tag: string, place: Place): Place {
  if (place.parent === 'a' || tag === 'a' || tag === 'oembed') return { ...place, parent: 'a' };
  if (tag === 'figure') return { ...place, parent: 'figure' };
  return place.parent ? { labels: place.labels, partOf: place.partOf } : place;
}

function RichPicture({ src, alt, width, height, scaled, ...rest }: Record<string, Attribute>) {
  const size =
    width && height ? { width: Number(width), height: Number(height) } : { width: null, height: null };
  const image = { src: String(src), alt: String(alt ?? ''), ...size, formats: [], scaled: scaled === true };
  return createElement(Picture, { ...rest, image, sizes: SIZES, fills: false });
}

export interface RichNodesProps {
  content: RichTextTree;
  partOf: string | undefined;
}

/** Renders nodes as a component, so that browsers that keep the server's markup create no elements. */
export default function RichNodes({ content, partOf }: RichNodesProps): ReactNode {
  return fragment(renderAll(content, { labels: useLabels(), partOf }));
}
