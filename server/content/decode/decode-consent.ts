import type { RichNode, RichText } from '../../../shared/content/rich-text.ts';
import { sentenceText } from '../../../shared/content/sentence-text.ts';
import { MAX_LENGTHS } from '../../../shared/forms/form-limits.ts';
import { plainText } from '../rich-text/read-rich-text.ts';
import { type DecodeContext, lose } from './decode-context.ts';

/** The elements of a sentence in a label. Of all others the text stays. */
const INLINE: ReadonlySet<string> = new Set(['a', 'em', 'strong', 'abbr', 'cite', 'q', 'small', 'u']);

/**
 * @param tree the sentence to which subscribers agree, as a rich text.
 * @returns the sentence without blocks, as the label of a checkbox needs it; null without one.
 */
export function consentSentence(tree: RichText, context: DecodeContext): RichText | null {
  const nodes = withoutBlocks(tree);
  const text = sentenceText(nodes);
  if (text === '') return null;
  if (text.length <= MAX_LENGTHS.consent) return nodes;
  const reason = `the sentence has more than ${MAX_LENGTHS.consent} characters, and its end is not shown`;
  lose(context, 'value-left-out', reason);
  return [text.slice(0, MAX_LENGTHS.consent).toWellFormed().trim()];
}

function withoutBlocks(tree: RichText): RichText {
  return tree.flatMap((node, index): readonly RichNode[] => {
    if (typeof node === 'string') return [node];
    const [tag, attributes, children] = node;
    if (INLINE.has(tag)) return [[tag, attributes, withoutBlocks(children)]];
    const inner = tag === 'p' ? withoutBlocks(children) : [plainText([node])];
    return index === 0 ? inner : [' ', ...inner];
  });
}
