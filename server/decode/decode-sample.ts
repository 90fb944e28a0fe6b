import type { BlockDescription } from '../../shared/content/descriptions.ts';
import { wholeBlock } from '../../shared/content/zone-kinds.ts';
import type { DecodeContext } from '../wire/decode-context.ts';
import { decodeFields } from './decode-entity.ts';

/**
 * Decodes a state of a block in its `*.sample.json`. It has the block's names for all fields, also for those
 * beside the block. Null if the block shows nothing of it.
 */
export function decodeSample(
  block: BlockDescription,
  values: unknown,
  context: DecodeContext,
): object | null {
  const { label, noun } = block;
  const sample = { kind: 'object', label, component: wholeBlock(block) } as const;
  return decodeFields({ path: null, noun, fields: { sample } }, { sample: values }, context).sample;
}
