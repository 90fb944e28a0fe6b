import type { PageIds } from '../../server/loading/page-ids.ts';
import type { BlockData, BlockName, BlockOf, LandingConfig } from '../../shared/content/landing.ts';
import type { WorldMap } from '../../shared/content/world-map.ts';
import type { blockViews } from '../block-views.ts';

/** The parts of the page that a block may need beside its own values. */
export interface BlockContext {
  readonly h1: string;
  readonly landing: LandingConfig;
  readonly worldMap: WorldMap;
  readonly ids: PageIds;
}

type ViewData<Name extends BlockName> = Name extends keyof typeof blockViews
  ? Parameters<(typeof blockViews)[Name]>[0]['data']
  : unknown;

/** Makes the data of a component from the values of its block. */
export type CompleteBlock<Name extends BlockName> = (
  values: BlockData<BlockOf<Name>>,
  context: BlockContext,
) => ViewData<Name>;

/** The blocks whose components show more than the values. The compiler asks for their completion. */
export type CompletedName = {
  [Name in BlockName]: BlockData<BlockOf<Name>> extends ViewData<Name> ? never : Name;
}[BlockName];
