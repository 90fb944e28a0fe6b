import { createElement, Fragment, type ReactNode } from 'react';
import type { RichAttributes, RichNode, RichText as RichTextTree } from '../content/rich-text.ts';
import { Link } from './link.tsx';
import styles from './rich-text.module.css';

/** What may become an element. The server has sanitised the tree: this is the second lock. */
const TAGS = new Set(
  (
    'p h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em b i u s del ins sub sup mark small abbr cite q kbd samp ' +
    'br hr dl dt dd figure figcaption img table caption thead tbody tfoot tr th td div span section details summary ' +
    'time picture source video audio'
  ).split(' '),
);
const VOID_TAGS = new Set(['br', 'hr', 'img', 'source', 'input']);
const FORBIDDEN_ATTRIBUTES = /^(?:on|style$|dangerously|ref$|key$|children$|srcDoc$)/i;

function safeAttributes(attributes: RichAttributes | null): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes ?? {})
      .filter(([name]) => !FORBIDDEN_ATTRIBUTES.test(name))
      // What the tables of Markdown have is no attribute of HTML any more.
      .map(([name, value]) => [name === 'align' ? 'data-align' : name, value]),
  );
}

function renderAll(nodes: RichTextTree): ReactNode[] {
  return nodes.map(renderNode);
}

function renderNode(node: RichNode): ReactNode {
  if (typeof node === 'string') return node;
  const [rawTag, rawAttributes, nodes] = node;
  // The page has its own first-level heading.
  const tag = rawTag === 'h1' ? 'h2' : rawTag;
  const attributes = safeAttributes(rawAttributes);
  if (tag === 'a') {
    const { href, ...rest } = attributes;
    if (typeof href !== 'string') return createElement(Fragment, null, ...renderAll(nodes));
    return createElement(Link, { href, ...rest }, ...renderAll(nodes));
  }
  if (tag === 'input') {
    return attributes.type === 'checkbox'
      ? createElement('input', {
          type: 'checkbox',
          disabled: true,
          defaultChecked: attributes.checked === true,
          'aria-label': attributes.checked === true ? 'Done' : 'To do',
        })
      : null;
  }
  if (!TAGS.has(tag)) return createElement(Fragment, null, ...renderAll(nodes));
  if (tag === 'img') {
    return createElement('img', { alt: '', loading: 'lazy', decoding: 'async', ...attributes });
  }
  if (VOID_TAGS.has(tag)) return createElement(tag, attributes);
  const element = createElement(tag, attributes, ...renderAll(nodes));
  if (tag === 'table') return scrollRegion('Table', element);
  if (tag === 'pre') return createElement('pre', { tabIndex: 0, ...attributes }, ...renderAll(nodes));
  return element;
}

/** What is too wide for a phone scrolls in a region of its own that the keyboard reaches. */
function scrollRegion(label: string, element: ReactNode): ReactNode {
  return createElement(
    'div',
    { role: 'region', 'aria-label': label, tabIndex: 0, className: styles.scroll, 'data-scroll-area': '' },
    element,
  );
}

/** Rich text of the content: one column, at a measure that reads well. */
export function RichText({ content, className }: { content: RichTextTree; className?: string | undefined }) {
  const classes = [styles.root, className].filter(Boolean).join(' ');
  return createElement('div', { className: classes }, ...renderAll(content));
}
