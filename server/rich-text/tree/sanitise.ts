import type { Root } from 'hast';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import { unified } from 'unified';
import { BLOCK_TAGS, CALLOUT_TONES, INLINE_TAGS } from '../../../shared/content/rich-text-tags.ts';
import { setOf } from '../nodes/vocabulary.ts';
import { eachElement } from './hast-nodes.ts';

/** Elements that become other elements on the page. A `div`'s content becomes paragraphs and blocks. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ...[['h1', 'h2'] as const, ['b', 'strong'] as const, ['i', 'em'] as const, ['strike', 's'] as const],
  ...['tt', 'samp'].map(tag => [tag, 'code'] as const),
  ...['section', 'article', 'main', 'header', 'footer', 'aside', 'nav', 'address', 'center', 'fieldset'].map(
    tag => [tag, 'div'] as const,
  ),
  ...['form', 'hgroup', 'search'].map(tag => [tag, 'div'] as const),
]);

/** Elements that pages never show, with all that is in them. */
const REMOVED = setOf(
  'script style template noscript iframe object embed applet frameset svg math title textarea select option datalist ' +
    'canvas xmp noembed noframes plaintext meter progress portal dialog',
);

/** Elements that reach a page. Others are replaced by their content. */
const SCHEMA: Schema = {
  tagNames: [...BLOCK_TAGS, ...INLINE_TAGS, 'div', 'span'],
  strip: [...REMOVED],
  attributes: {
    // Allow `lang` (BCP 47) and `dir`, for text in another language.
    '*': ['id', ['lang', /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8}){0,4}$/], ['dir', 'ltr', 'rtl', 'auto']],
    a: ['href', 'title', 'ariaLabel', ['target', '_blank']],
    abbr: ['title'],
    aside: [['dataTone', ...CALLOUT_TONES]],
    audio: ['src', 'ariaLabel'],
    code: [['className', /^language-[\w+#.-]{1,40}$/]],
    details: ['open'],
    figure: [['dataGallery', '']],
    img: ['src', 'alt', 'title', ['width', /^\d{1,5}$/], ['height', /^\d{1,5}$/]],
    input: ['checked'],
    oembed: ['url'],
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
    track: [
      'src',
      'label',
      'default',
      ['srcLang', /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i],
      ['kind', 'captions', 'subtitles', 'descriptions', 'chapters'],
    ],
    video: ['src', 'poster', 'ariaLabel', ['width', /^\d{1,5}$/], ['height', /^\d{1,5}$/]],
  },
  // Check addresses a first time. `safeHref` or the media policy checks each again.
  protocols: {
    href: ['http', 'https', 'mailto', 'tel', 'entry'],
    src: ['http', 'https'],
    poster: ['http', 'https'],
    url: ['http', 'https'],
  },
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

const shown: ReadonlySet<string> = new Set([...(SCHEMA.tagNames ?? []), ...RENAMED.keys()]);

export function isShown(tagName: string): boolean {
  return shown.has(tagName);
}

export function isRemoved(tagName: string): boolean {
  return REMOVED.has(tagName);
}

export function sanitise(tree: Root): Root {
  return clean.runSync(tree);
}

function standardise(tree: Root): void {
  eachElement(tree, node => {
    const isCallout = node.tagName === 'aside' && node.properties.dataTone !== undefined;
    if (!isCallout) node.tagName = RENAMED.get(node.tagName) ?? node.tagName;
    if (node.tagName === 'a' && !node.properties.id && typeof node.properties.name === 'string') {
      node.properties.id = node.properties.name;
    }
  });
}
