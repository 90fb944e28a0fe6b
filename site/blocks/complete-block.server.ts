import type { ComponentType } from 'react';
import type { PageIds } from '../../server/loading/page-ids.ts';
import type {
  BlockData,
  BlockName,
  BlockOf,
  BlockProps,
  LandingConfig,
  PageBlockName,
} from '../../shared/content/landing.ts';
import type { WorldMap } from '../../shared/content/world-map.ts';
import type { blockViews } from '../block-views.ts';
import type { lateBlockViews } from '../late-block-views.ts';

export interface BlockContext {
  readonly ids: PageIds;
  /** The id of the block's entry, and its number among blocks of its kind. Only set in dynamic zones. */
  readonly place?: { readonly entry: string; readonly number: number };
}
export interface HomeContext extends BlockContext {
  readonly h1: string;
  readonly landing: LandingConfig;
  readonly worldMap: WorldMap;
}

type Views = typeof blockViews & {
  readonly [Name in keyof typeof lateBlockViews]: Awaited<
    ReturnType<(typeof lateBlockViews)[Name]>
  >['default'];
};
type ViewData<Name> = Name extends keyof Views
  ? Views[Name] extends ComponentType<BlockProps<infer Data>>
    ? Data
    : never
  : unknown;

/** Makes the data for a block's component from the values that the content has for the block. */
export type CompleteBlock<Name extends BlockName | PageBlockName, Context = BlockContext> = (
  values: BlockData<BlockOf<Name>>,
  context: Context,
) => ViewData<Name>;

/** Blocks whose components show more than the block's values. The compiler requires a completion for each. */
export type CompletedName = {
  [Name in BlockName | PageBlockName]: BlockData<BlockOf<Name>> extends ViewData<Name> ? never : Name;
}[BlockName | PageBlockName];
