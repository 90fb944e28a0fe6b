import type { RichHeading, RichText } from '../../../shared/content/rich-text.ts';
import { isGiven, quoted } from '../decode/decode-context.ts';
import { wellFormed } from './element-attributes.ts';
import { createFoundLosses } from './found-losses.ts';
import { parseBlocks } from './parse-blocks.ts';
import { parseSource } from './parse-source.ts';
import { plainParagraphs } from './plain-paragraphs.ts';
import { headings, plainText, unsizedPictures } from './read-rich-text.ts';
import type { RichTextSink } from './rich-text-sink.ts';
import { sanitise } from './sanitise.ts';
import { settleIds } from './settle-ids.ts';
import { showLost } from './show-lost.ts';
import { toRichText } from './to-rich-nodes.ts';

export interface RichTextCompiler {
  /**
   * Compiles a Markdown or HTML source into a sanitised tree. A source that begins with a tag is HTML. Never throws: a source that
   * cannot be compiled, such as one that is too complex (`source-bounds.ts`), becomes paragraphs of plain text. Blocks and dynamic zones
   * become paragraphs and links (`parse-blocks.ts`). Other values become `[]`.
   *
   * @param sink receives everything that visitors do not see as the editor made it.
   */
  compile(source: unknown, sink?: RichTextSink): RichText;
  /** The headings of levels 2 and 3 in their order, for a table of contents. */
  headings(tree: RichText): RichHeading[];
  /** The text without markup, white space collapsed. */
  plainText(tree: RichText): string;
}

const NO_SINK: RichTextSink = { lose() {}, unsized() {} };

/** @param media decides which picture addresses may be shown: `createMediaPolicy` of `safe-address.ts` */
export function createRichTextCompiler(media: {
  mediaAddress(value: unknown): string | null;
}): RichTextCompiler {
  return {
    compile(source, sink = NO_SINK) {
      if (source === null || !isGiven(source)) return [];
      if (typeof source !== 'string' && typeof source !== 'object') {
        sink.lose('value-left-out', `${quoted(source)} is not shown: a text is needed`);
        return [];
      }
      const losses = createFoundLosses();
      try {
        const parsed = typeof source === 'string' ? parseSource(source, losses) : parseBlocks(source, losses);
        const tree = sanitise(showLost(parsed, media, losses));
        const richText = toRichText(tree, { media, aliases: settleIds(tree) });
        unsizedPictures(richText).forEach(sink.unsized);
        losses.tell(sink);
        return richText;
      } catch (error) {
        sink.lose('shown-as-text', `${String(error)}: the text is shown without its formatting`);
        const text = typeof source === 'string' ? source : JSON.stringify(source);
        return plainParagraphs(text).map(paragraph => ['p', null, [wellFormed(paragraph)]]);
      }
    },
    headings,
    plainText,
  };
}
