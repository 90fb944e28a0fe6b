import type { RootContent } from 'hast';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { expect } from 'vitest';
import { createMediaPolicy, safeHref } from '../../server/addresses/safe-address.ts';
import { readConfig } from '../../server/config/config.ts';
import { compileRichText } from '../../server/rich-text/compiling/rich-text-compiler.ts';
import { embedAt } from '../../server/rich-text/tree/embeds.ts';
import type { RichNode, RichText } from '../../shared/content/rich-text.ts';

const media = createMediaPolicy({
  contentBaseUrl: 'https://cms.example',
  mediaOrigins: ['https://cdn.example'],
});
const { embedProviders: providers } = readConfig({});
export const rules = { media, providers };
/** Reasons for which sources became plain text. */
export const failures: string[] = [];
export function compile(source: unknown): RichText {
  const { tree, losses } = compileWithLosses(source);
  failures.push(
    ...losses.map(({ reason }) => reason).filter(reason => /^(?:\w*Error: |Rich text )/.test(reason)),
  );
  return tree;
}

/** @returns the tree of a source, and everything in it that visitors see differently from the editor. */
export function compileWithLosses(source: unknown): {
  tree: RichText;
  losses: readonly { kind: string; reason: string }[];
} {
  const losses: { kind: string; reason: string }[] = [];
  const { tree } = compileRichText(source, {
    ...rules,
    lose: (kind, reason) => void losses.push({ kind, reason }),
  });
  return { tree, losses };
}

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'aria-label', 'rel', 'target'],
  abbr: ['title'],
  aside: ['data-tone'],
  audio: ['src', 'aria-label'],
  code: ['className'],
  details: ['open'],
  figure: ['data-gallery'],
  oembed: ['href', 'data-frame', 'data-provider'],
  track: ['src', 'kind', 'srcLang', 'label', 'default'],
  video: ['src', 'poster', 'aria-label', 'width', 'height'],
  img: ['src', 'alt', 'title', 'width', 'height', 'scaled'],
  input: ['type', 'checked', 'disabled', 'aria-label'],
  ol: ['start', 'reversed', 'type'],
  pre: ['aria-label', 'data-language'],
  span: ['className'],
  table: ['aria-label'],
  td: ['colSpan', 'rowSpan', 'align'],
  th: ['colSpan', 'rowSpan', 'align', 'scope'],
};
export const TAGS = new Set(
  (
    'p h2 h3 h4 h5 h6 ul ol li blockquote pre code table caption thead tbody tfoot tr th td a img figure figcaption ' +
    'em strong s u sub sup mark small abbr kbd hr br details summary del ins dl dt dd input span cite q ' +
    'aside video audio track oembed'
  ).split(' '),
);

/**
 * Asserts that a tree has only elements and attributes of the schema, and only addresses that the policy
 * allows.
 */
export function expectSafe(tree: RichText, ids = new Set<unknown>()): void {
  for (const [index, node] of tree.entries()) {
    if (typeof node === 'string') {
      expect(node).not.toBe('');
      expect(typeof tree[index - 1], 'texts are merged').not.toBe('string');
      continue;
    }
    const [tag, attributes, children] = node;
    expect(TAGS).toContain(tag);
    expect(attributes === null || Object.keys(attributes).length > 0).toBe(true);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      expect(['id', 'lang', 'dir', ...(ATTRIBUTES[tag] ?? [])]).toContain(name);
      if (name === 'lang') expect(value).toMatch(/^[A-Za-z\d-]{2,50}$/);
      if (name === 'dir') expect(['ltr', 'rtl', 'auto']).toContain(value);
      expect(['string', 'number', 'boolean']).toContain(typeof value);
      if (name === 'href') expect(safeHref(value)).toBe(value);
      if (name === 'data-frame') expect(embedAt(attributes?.href, providers)?.player).toBe(value);
      if (name === 'src' || name === 'poster') expect(media.mediaAddress(value)).toBe(value);
      if (name === 'className') expect(value).toMatch(/^(?:language-[\w+#.-]+|el-code-[a-z]+)$/);
      if (name === 'id') {
        expect(ids.has(value), `id ${value} is unique`).toBe(false);
        expect(['root', 'contacts', 'payload']).not.toContain(value);
        ids.add(value);
      }
    }
    expectSafe(children, ids);
  }
}

function toReact(tree: RichText): ReactNode[] {
  return tree.map((node, key) =>
    typeof node === 'string'
      ? node
      : createElement(
          node[0],
          // For a picture that is not lazy, React would put a preload link before the markup.
          { key, ...node[1], ...(node[0] === 'img' ? { loading: 'lazy', scaled: undefined } : {}) },
          ...(node[2].length > 0 ? [toReact(node[2])] : []),
        ),
  );
}

/** A tree of tags and texts, without attributes. */
type Shape = string | [string, Shape[]];
const shapeOfTree = (node: RichNode): Shape =>
  typeof node === 'string' ? node : [node[0], node[2].map(shapeOfTree)];
const shapeOfMarkup = (node: RootContent): Shape =>
  node.type === 'element'
    ? [node.tagName, node.children.map(shapeOfMarkup)]
    : node.type === 'text'
      ? node.value
      : node.type;

/** Asserts that an HTML parser reads the server's markup as the tree that React will hydrate. */
export function expectStable(tree: RichText): void {
  const markup = renderToStaticMarkup(createElement('div', null, toReact(tree)));
  const parsed = unified().use(rehypeParse, { fragment: true }).parse(markup);
  expect(parsed.children.map(shapeOfMarkup)).toEqual([['div', tree.map(shapeOfTree)]]);
}

export function compileSafely(source: string): RichText {
  const tree = compile(source);
  expectSafe(tree);
  expectStable(tree);
  return tree;
}
