import { type BlockDescription, hasContent } from '../../shared/content/descriptions.ts';
import type { JsonObject } from '../../shared/content/json.ts';
import {
  type BlockName,
  blockData,
  type LandingConfig,
  type LandingPosition,
  lackOfKind,
} from '../../shared/content/landing.ts';
import { OWN_TEXT, ownFieldOf } from '../../shared/content/landing-fields.ts';
import { wholeBlock } from '../../shared/content/zone-kinds.ts';
import { blocks } from '../../site/blocks.ts';
import { siteTypes } from '../../site/types.ts';
import { normalizedId } from '../rich-text/tree/normalize-ids.ts';
import { type DecodeContext, inside, isGiven, lose, quoted } from '../wire/decode-context.ts';
import { inWords, itemsAt, jsonAt, notShown, nounOf, objectAt, textAt } from '../wire/decode-json.ts';
import { isObject, type WireEntry } from '../wire/wire.ts';
import { decodeFields } from './decode-entity.ts';
import { richTextAt } from './decode-fields.ts';
import { withSeo } from './decode-seo.ts';

export function decodeLanding({ id, attributes }: WireEntry, context: DecodeContext): LandingConfig {
  const landing = {
    id,
    attributes: attributes as JsonObject,
    ...withSeo(decodeFields(siteTypes.landing, attributes, context), context),
    positionsAndCustomBlocks: positions(
      attributes.positionsAndCustomBlocks,
      inside(context, 'positionsAndCustomBlocks'),
    ),
  };
  for (const block of blocks) reportHidden(block, landing, context);
  return landing;
}

/** Reports content that no block shows, because the block or its main field is empty. */
function reportHidden(block: BlockDescription, landing: LandingConfig, context: DecodeContext): void {
  const { fields, beside = {}, needsOneOf = [] } = block;
  if (!fields) return;
  const record: Readonly<Record<string, unknown>> = { ...landing };
  const field = ownFieldOf(block);
  const own = record[field];
  if (isObject(own)) reportKind(block, record, own, inside(context, field));
  if (blockData(block, landing) !== null) return;
  const report = (at: string, value: unknown, needed: string) => {
    const words = wordsOf(value);
    if (words) lose(inside(context, at), 'value-left-out', `${quoted(words)} is not shown: ${needed}`);
  };
  if (!isObject(own)) {
    for (const { wire } of Object.values(beside)) report(wire, record[wire], `${field} is empty`);
    return;
  }
  const needed = needsOneOf.map(name => nounOf(name, fields[name] ?? beside[name]));
  report(field, own, `the block needs ${inWords(needed, 'or')}`);
}

/** Reports a block whose kind lacks its content, and content that this kind does not show. */
function reportKind(
  block: BlockDescription,
  landing: Readonly<Record<string, unknown>>,
  own: Record<string, unknown>,
  context: DecodeContext,
): void {
  const { byKind = {}, fields = {} } = block;
  const needed = lackOfKind(block, { ...landing, ...own });
  const lack = needed && (fields[needed]?.label ?? needed);
  if (lack) lose(inside(context, 'kind'), 'value-left-out', `the block is plain: ${quoted(lack)} is empty`);
  const shown = byKind[String(own.kind)] ?? [];
  for (const name of new Set(Object.values(byKind).flat()))
    if (hasContent(own[name]) && !shown.includes(name))
      lose(inside(context, name), 'value-left-out', `not shown: the kind is ${own.kind ?? 'empty'}`);
}

function wordsOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const words = key === 'id' ? null : wordsOf(inner);
    if (words !== null) return words;
  }
  return null;
}

const BLOCK_NAMES: readonly BlockName[] = blocks.map(({ name }) => name);
const isBlockName = (name: unknown): name is BlockName => BLOCK_NAMES.some(known => known === name);
const POSITION_KEYS = Object.keys(siteTypes.landing.fields.positionsAndCustomBlocks.component.fields);

/** @returns the order of the landing page's blocks, each once. Reports repeated and unknown items. */
export function positions(value: unknown, context: DecodeContext): readonly LandingPosition[] | null {
  const list = jsonAt(value, context);
  const items = itemsAt(list, context);
  if (!Array.isArray(list)) return null;
  const placed = new Set<BlockName>();
  const ids = new Set<string>();
  const hidden = new Set<BlockName>();
  const shown = items.flatMap(([item, at], index): LandingPosition[] => {
    // Turn a text into an object that names a block.
    const position: JsonObject | null =
      typeof item === 'string' ? { block: item } : objectAt(item, at, [...POSITION_KEYS, 'id']);
    if (!position) return [];
    const { block: name, custom, anchor, id } = position;
    if (position.hidden === true || !at.isShown(position, at)) {
      if (isBlockName(name)) hidden.add(name);
      return [];
    }
    // Use `anchor` for a component, because the CMS gives it a new numeric `id` at each publish.
    const isComponent = anchor !== undefined && typeof id !== 'string';
    const idKey = isComponent || isGiven(anchor) ? 'anchor' : 'id';
    if (isGiven(name) && name !== OWN_TEXT) {
      if (isGiven(custom))
        lose(
          inside(at, 'custom'),
          'value-left-out',
          'the text is not shown: a position has a block or a text',
        );
      if (!isBlockName(name)) lose(at, 'value-left-out', notShown(name, `one of ${BLOCK_NAMES.join(', ')}`));
      else if (placed.has(name))
        lose(at, 'value-left-out', `the block '${name}' is named twice: it is shown at the first place`);
      else {
        placed.add(name);
        return [{ block: name }];
      }
      return [];
    }
    const text = richTextAt(custom, inside(at, 'custom'));
    const own = textAt(position[idKey], inside(at, idKey));
    const normalized = normalizedId(own ?? `block-${index + 1}`);
    if (own !== null && (own !== normalized || ids.has(own))) {
      const why = ids.has(own)
        ? 'another block has it'
        : 'the site uses it, or it has characters that an id may not have';
      const id = ids.has(own) ? 'an id with a number' : quoted(normalized);
      lose(inside(at, idKey), 'value-left-out', `the id ${quoted(own)} becomes ${id}, because ${why}`);
    }
    ids.add(normalized);
    return text.length > 0 ? [{ custom: text, id: normalized }] : [];
  });
  // A list with only hidden blocks sets no order: the other blocks keep the usual one.
  if (shown.length > 0 || hidden.size === 0) return shown;
  return BLOCK_NAMES.filter(name => !hidden.has(name)).map(block => ({ block }));
}

/**
 * Decodes a sample of a block from its `*.sample.json`. The sample has the block's names for all fields, even
 * for fields that the CMS stores outside the block. Null if the block would show nothing.
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
