import type { PageIds } from '../../server/loading/page-ids.ts';
import type { BlockData, BlockName, BlockOf, LandingConfig } from '../../shared/content/landing.ts';
import type { WorldMap } from '../../shared/content/world-map.ts';
import type { blockViews } from '../block-views.ts';

/** Parts of the page that a block may need besides its own values. */
export interface BlockContext {
  readonly h1: string;
  readonly landing: LandingConfig;
  readonly worldMap: WorldMap;
  readonly ids: PageIds;
}

type ViewData<Name extends BlockName> = Name extends keyof typeof blockViews
  ? Parameters<(typeof blockViews)[Name]>[0]['data']
  : unknown;

/** Makes a component's data from the values of its block. */
export type CompleteBlock<Name extends BlockName> = (
  values: BlockData<BlockOf<Name>>,
  context: BlockContext,
) => ViewData<Name>;

/** Blocks whose components show more than the values. The compiler requires a completion for each. */
export type CompletedName = {
  [Name in BlockName]: BlockData<BlockOf<Name>> extends ViewData<Name> ? never : Name;
}[BlockName];
