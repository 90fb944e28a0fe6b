import { isGiven, quoted } from '../decode/decode-context.ts';
import type { EmbedProvider } from '../embeds/embed-providers.ts';
import { type CutTree, cutNodes, cutText, type TreeSize, UNBOUNDED } from './cut-nodes.ts';
import { createFoundLosses } from './found-losses.ts';
import { highlight } from './highlight-code.ts';
import type { LoseText } from './lose-text.ts';
import { parseBlocks } from './parse-blocks.ts';
import { parseSource } from './parse-source.ts';
import { sanitise } from './sanitise.ts';
import { settleCallouts } from './settle-callouts.ts';
import { settleIds } from './settle-ids.ts';
import { settlePlayers } from './settle-players.ts';
import { showLost } from './show-lost.ts';
import { TooComplexError } from './source-bounds.ts';
import { type ColourCode, toRichText } from './to-rich-nodes.ts';
import { withoutFormatting } from './without-formatting.ts';

export interface CompileOptions {
  /** Receives everything that visitors do not see as the editor made it. */
  lose?: LoseText;
  colour?: ColourCode;
  /** Whether the text becomes paragraphs without formatting. */
  isPlain?: boolean;
  /** The bound of the tree. The rest of the text is left out. */
  maxSize?: TreeSize;
}

export interface RichTextCompiler {
  /**
   * Compiles a Markdown or HTML source into a sanitised tree. A source that begins with a tag is HTML. Never throws: a source that
   * cannot be compiled, such as one that is too complex (`source-bounds.ts`), becomes paragraphs of plain text. Blocks of Strapi's editor
   * become what Markdown has for them, and the sections of a dynamic zone what `section-kinds.ts` makes of them (`parse-blocks.ts`). Other values become `[]`.
   *
   * Some sources take minutes. The process must not run this function in its main thread; `compile-pool.ts` runs it in one that can be
   * ended.
   */
  compile(source: unknown, options?: CompileOptions): CutTree;
}

/**
 * @param media decides which files may be shown: `createMediaPolicy` of `safe-address.ts`.
 * @param providers the services whose films pages play.
 */
export function createRichTextCompiler(
  media: { mediaAddress(value: unknown): string | null },
  providers: readonly EmbedProvider[] = [],
): RichTextCompiler {
  return {
    compile(source, { lose = () => {}, colour = highlight, isPlain = false, maxSize = UNBOUNDED } = {}) {
      if (source === null || !isGiven(source)) return cutNodes([], maxSize);
      if (typeof source !== 'string' && typeof source !== 'object') {
        lose('value-left-out', `${quoted(source)} is not shown: a text is needed`);
        return cutNodes([], maxSize);
      }
      const plain = () => withoutFormatting(typeof source === 'string' ? source : JSON.stringify(source));
      if (isPlain) return cutText(plain(), maxSize, lose);
      const losses = createFoundLosses();
      try {
        const parsed = typeof source === 'string' ? parseSource(source, losses) : parseBlocks(source, losses);
        settleCallouts(parsed);
        const players = settlePlayers(parsed, { media, providers });
        const tree = sanitise(showLost(parsed, media, losses, players));
        const richText = toRichText(tree, { media, providers, colour, losses, aliases: settleIds(tree) });
        losses.tell(lose);
        return cutText(richText, maxSize, lose);
      } catch (error) {
        const reason = error instanceof TooComplexError ? error.message : String(error);
        lose('shown-as-text', `${reason}: the text is shown without its formatting`);
        return cutText(plain(), maxSize, lose);
      }
    },
  };
}
