import type { Root } from 'hast';
import type { Root as Markdown } from 'mdast';
import rehypeParse from 'rehype-parse';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';
import type { FoundLosses } from './found-losses.ts';
import { withoutLargeTables } from './large-tables.ts';
import { noteUnusedFootnotes, widenTables } from './settle-markdown.ts';
import { boundedHtml, checkLines, checkMarkdown, checkSource, checkTree, isHtml } from './source-bounds.ts';

const AUTOLINKS: ReadonlySet<unknown> = new Set(['wwwAutolink', 'protocolAutolink', 'emailAutolink']);

const plain = unified().use(remarkParse).freeze();
const gfm = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).use(withoutAutolinks).freeze();
const gfmWithAutolinks = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).freeze();

/** Signs of GitHub's Markdown. A text without them is parsed as plain Markdown, in half the time. */
const GFM_SIGNS = /\||~~|\[\^|\[[ \tx]\]/i;
/** Signs of a bare address, which is not the target of a written link. */
const AUTOLINK_SIGNS = /www\.|(?<!\]\(|<|=["'])https?:|@/i;

const toHtml = unified()
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '', footnoteLabel: 'Notes' })
  .freeze();
const withRawHtml = unified().use(rehypeRaw).freeze();
const html = unified().use(rehypeParse, { fragment: true }).freeze();

/**
 * Parses Markdown or HTML. A source that begins with a tag is HTML.
 *
 * @param losses receives what the parsers would leave out.
 *
 * @returns the tree of the source, not sanitised.
 * @throws TooComplexError
 */
export function parseSource(source: string, losses: FoundLosses): Root {
  checkSource(source);
  return isHtml(source) ? boundedHtml(() => html.parse(source)) : parseMarkdown(source, losses);
}

function parseMarkdown(source: string, losses: FoundLosses): Root {
  checkLines(source);
  const bounded = withoutLargeTables(source, losses);
  checkMarkdown(bounded);
  const markdown: Markdown = parserFor(bounded).parse(bounded);
  const { hasHtml, tables, footnotes } = checkTree(markdown);
  widenTables(tables);
  noteUnusedFootnotes(footnotes, losses);
  const tree = toHtml.runSync(markdown);
  return hasHtml ? boundedHtml(() => withRawHtml.runSync(tree)) : tree;
}

function parserFor(source: string): typeof plain {
  if (AUTOLINK_SIGNS.test(source)) return gfmWithAutolinks;
  return GFM_SIGNS.test(source) ? gfm : plain;
}

/** Removes the autolinks from GitHub's Markdown, because they examine every letter. */
function withoutAutolinks(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map(extension => ({
    ...extension,
    text: Object.fromEntries(
      Object.entries(extension.text ?? {}).map(([code, constructs]) => [
        code,
        [constructs ?? []].flat().filter(({ name }) => !AUTOLINKS.has(name)),
      ]),
    ),
  }));
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .filter(({ transforms }) => !transforms);
}
