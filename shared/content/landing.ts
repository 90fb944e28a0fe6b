import type { blocks, pageBlocks } from '../../site/blocks.ts';
import type { EntityOf, ItemOf, ValuesOf } from './content-types.ts';
import { type BlockDescription, hasContent, isMany } from './descriptions.ts';
import type { JsonObject } from './json.ts';
import { ownFieldOf } from './landing-fields.ts';
import type { RichText } from './rich-text.ts';
import type { WithSeo } from './seo.ts';

export type BlockName = (typeof blocks)[number]['name'];
export type PageBlockName = (typeof pageBlocks)[number]['name'];
export type BlockOf<Name extends BlockName | PageBlockName> = Extract<
  (typeof blocks | typeof pageBlocks)[number],
  { name: Name }
>;

export type LandingPosition = { block: BlockName } | { custom: RichText; id: string };

/** The record `landing`. A missing or broken block is null; a missing or broken list is empty. */
export interface LandingConfig extends WithSeo<EntityOf<'landing'>> {
  /** All attributes of the record, for the server. */
  attributes: JsonObject;
  /** The order of the blocks; null for the usual order. */
  positionsAndCustomBlocks: readonly LandingPosition[] | null;
}

export interface BlockProps<Data> {
  data: Data;
  /** The id of the block on its page; its name by default. Ids of its parts begin with it. */
  id?: string;
  /** Whether the block is the last known block on the page. */
  isLast: boolean;
}

export type ShownPosition =
  /** `data` is for the block's component in `site/block-views.ts`. */
  { block: BlockName; data: object } | { custom: RichText; id: string };

export type BlockData<Block> = (Block extends { fields: unknown } ? ItemOf<Block> : unknown) &
  (Block extends { beside: infer Beside } ? ValuesOf<Beside> : unknown);

export function blockData<Block extends BlockDescription>(
  block: Block,
  landing: Partial<LandingConfig>,
): BlockData<Block> | null {
  const record: Readonly<Record<string, unknown>> = { ...landing };
  const { fields, beside = {}, needsOneOf, standsAlone } = block;
  const own = fields ? record[ownFieldOf(block)] : {};
  if (!own && !standsAlone) return null;
  const nothing = Object.entries(fields ?? {}).map(([name, field]) => [name, isMany(field) ? [] : null]);
  const data: Record<string, unknown> = {
    ...(own ?? Object.fromEntries(nothing)),
    ...Object.fromEntries(Object.entries(beside).map(([name, { wire }]) => [name, record[wire]])),
  };
  const isShown = needsOneOf?.some(name => hasContent(data[name])) ?? true;
  // The cast is safe: `data` has exactly the fields of the block's description.
  return isShown ? (data as BlockData<Block>) : null;
}

/** @returns the field that the block's kind needs and lacks; undefined without one. */
export function lackOfKind(
  { byKind = {} }: BlockDescription,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  return byKind[String(values.kind)]?.slice(0, 1).find(needed => !hasContent(values[needed]));
}
