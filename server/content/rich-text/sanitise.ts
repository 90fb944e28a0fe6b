import type { Root } from 'hast';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import { unified } from 'unified';
import { BLOCK_TAGS, INLINE_TAGS } from '../../../shared/content/rich-text-tags.ts';
import { eachElement } from './each-element.ts';

/** What is renamed before it is sanitised. `div` never reaches the page: its content becomes paragraphs and blocks. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ...[['h1', 'h2'] as const, ['b', 'strong'] as const, ['i', 'em'] as const, ['strike', 's'] as const],
  ...['tt', 'samp'].map(tag => [tag, 'code'] as const),
  ...['section', 'article', 'main', 'header', 'footer', 'aside', 'nav', 'address', 'center', 'fieldset'].map(
    tag => [tag, 'div'] as const,
  ),
  ...['form', 'hgroup', 'search'].map(tag => [tag, 'div'] as const),
]);

/** A schema of our own: what is not named here does not exist. Unknown elements are replaced by what they contain. */
const SCHEMA: Schema = {
  tagNames: [...BLOCK_TAGS, ...INLINE_TAGS, 'div', 'span'],
  // These go with all that is in them.
  strip: [
    ...[
      'script',
      'style',
      'template',
      'noscript',
      'iframe',
      'object',
      'embed',
      'applet',
      'frameset',
      'svg',
      'math',
    ],
    ...[
      'title',
      'textarea',
      'select',
      'option',
      'datalist',
      'audio',
      'video',
      'canvas',
      'xmp',
      'noembed',
      'noframes',
    ],
    ...['plaintext', 'meter', 'progress', 'portal', 'dialog'],
  ],
  attributes: {
    '*': ['id'],
    a: ['href', 'title', 'ariaLabel', ['target', '_blank']],
    abbr: ['title'],
    code: [['className', /^language-[\w+#.-]{1,40}$/]],
    details: ['open'],
    img: ['src', 'alt', 'title', ['width', /^\d{1,5}$/], ['height', /^\d{1,5}$/]],
    input: ['checked'],
    ol: [['start', /^\d{1,6}$/], 'reversed', ['type', '1', 'a', 'A', 'i', 'I']],
    td: [
      ['colSpan', /^[1-9]\d{0,2}$/],
      ['rowSpan', /^[1-9]\d{0,2}$/],
      ['align', 'left', 'center', 'right'],
    ],
    th: [
      ['colSpan', /^[1-9]\d{0,2}$/],
      ['rowSpan', /^[1-9]\d{0,2}$/],
      ['align', 'left', 'center', 'right'],
      ['scope', 'row', 'col', 'rowgroup', 'colgroup'],
    ],
  },
  // A second wall in front of `safeHref` and the media policy, which see every address that passes.
  protocols: { href: ['http', 'https', 'mailto', 'tel'], src: ['http', 'https'] },
  required: {},
  ancestors: {},
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
};

const clean = unified()
  .use(() => standardise)
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeSlug)
  .freeze();

/** @returns the tree with nothing in it but what the schema names; its headings have ids. */
export function sanitise(tree: Root): Root {
  return clean.runSync(tree);
}

/** Brings the variety of sources to the names that the schema and the conversion know. */
function standardise(tree: Root): void {
  eachElement(tree, (node, parent) => {
    node.tagName = RENAMED.get(node.tagName) ?? node.tagName;
    if (node.tagName === 'a' && !node.properties.id && typeof node.properties.name === 'string') {
      node.properties.id = node.properties.name;
    }
    if (node.tagName === 'input' && node.properties.type !== 'checkbox')
      parent.children.splice(parent.children.indexOf(node), 1);
  });
}
