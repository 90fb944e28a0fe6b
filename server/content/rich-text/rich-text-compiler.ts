import type { RichHeading, RichText } from '../../../shared/content/rich-text.ts';
import { wellFormed } from './element-attributes.ts';
import { parseSource } from './parse-source.ts';
import { headings, plainText, type UnsizedPicture, unsizedPictures } from './read-rich-text.ts';
import { sanitise } from './sanitise.ts';
import { settleIds } from './settle-ids.ts';
import { toRichText } from './to-rich-nodes.ts';

export interface RichTextCompiler {
  /**
   * Compiles a Markdown or HTML source into a sanitised tree. A source that begins with a tag is HTML. Never throws: a source that
   * cannot be compiled, such as one that is too complex (`source-bounds.ts`), becomes one paragraph of plain text. A value that is not a
   * text becomes `[]`.
   */
  compile(source: unknown): RichText;
  /**
   * @returns the pictures without a size in all texts compiled since the last call. The caller may complete their attributes until the
   *   texts are published.
   */
  drainUnsized(): UnsizedPicture[];
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
    drainUnsized() {
      const drained = unsized;
      unsized = [];
      return drained;
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
