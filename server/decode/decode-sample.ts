import type { BlockDescription, ComponentDescription } from '../../shared/content/descriptions.ts';
import type { DecodeContext } from '../wire/decode-context.ts';
import { decodeFields } from './decode-entity.ts';

/**
 * Decodes a state of a block in its `*.sample.json`. It has the block's names for all fields, also for those
 * beside the block. Null if the block shows nothing of it.
 */
export function decodeSample(
  { name, label, noun, fields, beside, needsOneOf }: BlockDescription,
  values: unknown,
  context: DecodeContext,
): object | null {
  const component: ComponentDescription = {
    ...({ name, label, noun, path: null, storage: 'component', file: null } as const),
    ...(needsOneOf && { needsOneOf }),
    fields: { ...fields, ...beside },
  };
  const sample = { kind: 'object', label, component } as const;
  return decodeFields({ path: null, noun, fields: { sample } }, { sample: values }, context).sample;
}
