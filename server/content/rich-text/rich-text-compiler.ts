import type { RichHeading, RichText } from '../../../shared/content/rich-text.ts';
import { wellFormed } from './element-attributes.ts';
import { parseSource } from './parse-source.ts';
import { headings, plainText, unsizedPictures } from './read-rich-text.ts';
import type { RichTextSink } from './rich-text-sink.ts';
import { sanitise } from './sanitise.ts';
import { settleIds } from './settle-ids.ts';
import { toRichText } from './to-rich-nodes.ts';

export interface RichTextCompiler {
  /**
   * Compiles a Markdown or HTML source into a sanitised tree. A source that begins with a tag is HTML. Never throws: a source that
   * cannot be compiled, such as one that is too complex (`source-bounds.ts`), becomes one paragraph of plain text. A value that is not a
   * text becomes `[]`.
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
      if (typeof source !== 'string' || source.trim() === '') return [];
      try {
        const tree = sanitise(parseSource(source));
        const richText = toRichText(tree, { media, aliases: settleIds(tree) });
        unsizedPictures(richText).forEach(sink.unsized);
        return richText;
      } catch (error) {
        sink.lose('shown-as-text', `${String(error)}: the text is shown without its formatting`);
        const text = source.replace(/<[a-z/!][^<>]*>/gi, ' ').replace(/\s+/g, ' ');
        return text.trim() === '' ? [] : [['p', null, [wellFormed(text.trim())]]];
      }
    },
    headings,
    plainText,
  };
}
