import type { Root } from 'hast';
import type { Root as Markdown } from 'mdast';
import rehypeParse from 'rehype-parse';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { boundedHtml, checkMarkdown, checkSource, checkTree } from './source-bounds.ts';

const plainMarkdown = unified().use(remarkParse).freeze();
const gfm = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).freeze();
/** What a text needs of GitHub's Markdown shows in one of these; without them parsing takes half the time. */
const GFM_SIGNS = /\||~~|\[\^|\[[ \tx]\]|www\.|https?:|@/i;

const toHtml = unified()
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '', footnoteLabel: 'Notes' })
  .freeze();
const withRawHtml = unified().use(rehypeRaw).freeze();
const html = unified().use(rehypeParse, { fragment: true }).freeze();

/**
 * Parses Markdown, or HTML: that is what begins with a tag.
 *
 * @returns whatever the source says, unsanitised.
 * @throws TooComplex
 */
export function parseSource(source: string): Root {
  checkSource(source);
  const start = source.replace(/^(?:\s*<!--[\s\S]*?-->)+/, '').trimStart();
  const isHtml = /^<(?:!doctype|[a-z][a-z0-9-]*)(?=[\s/>])/i.test(start);
  return isHtml ? boundedHtml(() => html.parse(source)) : parseMarkdown(source);
}

function parseMarkdown(source: string): Root {
  checkMarkdown(source);
  const markdown: Markdown = (GFM_SIGNS.test(source) ? gfm : plainMarkdown).parse(source);
  const { hasHtml } = checkTree(markdown);
  const tree = toHtml.runSync(markdown);
  return hasHtml ? boundedHtml(() => withRawHtml.runSync(tree)) : tree;
}
