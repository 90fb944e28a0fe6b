import type { RichHeading, RichText } from '../../../shared/content/rich-text.ts';
import { wellFormed } from './element-attributes.ts';
import { parseSource } from './parse-source.ts';
import { headings, plainText, type UnsizedPicture, unsizedPictures } from './read-rich-text.ts';
import { sanitise } from './sanitise.ts';
import { settleIds } from './settle-ids.ts';
import { toRichText } from './to-rich-nodes.ts';

export interface RichTextCompiler {
  /**
   * The sanitised tree of a Markdown or HTML source. A source that begins with a tag is HTML. Never throws: a source that is
   * too complex (`source-bounds.ts`) becomes one paragraph of plain text, and a value that is no text becomes `[]`.
   */
  compile(source: unknown): RichText;
  /**
   * The pictures without a size in all texts that were compiled since the last call. Their attributes are to be completed
   * before the texts are published.
   */
  takeUnsized(): UnsizedPicture[];
  /** The headings of levels 2 and 3 in their order, for a table of contents. */
  headings(tree: RichText): RichHeading[];
  /** The text without markup, white space collapsed. */
  plainText(tree: RichText): string;
}

/**
 * @param media decides which picture addresses may be shown: `createMediaPolicy` of `safe-address.ts`
 * @param onFailure called with the reason why a source became plain text, for the log
 */
export function createRichTextCompiler(
  media: { mediaAddress(value: unknown): string | null },
  onFailure?: (error: unknown) => void,
): RichTextCompiler {
  let unsized: UnsizedPicture[] = [];
  return {
    takeUnsized() {
      const taken = unsized;
      unsized = [];
      return taken;
    },
    compile(source) {
      if (typeof source !== 'string' || source.trim() === '') return [];
      try {
        const tree = sanitise(parseSource(source));
        const richText = toRichText(tree, { media, aliases: settleIds(tree) });
        unsized.push(...unsizedPictures(richText));
        return richText;
      } catch (error) {
        onFailure?.(error);
        const text = source.replace(/<[a-z/!][^<>]*>/gi, ' ').replace(/\s+/g, ' ');
        return text.trim() === '' ? [] : [['p', null, [wellFormed(text.trim())]]];
      }
    },
    headings,
    plainText,
  };
}
