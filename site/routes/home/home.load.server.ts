import { isHiddenBy } from '../../../server/decode/decode-seo.ts';
import { entryHead } from '../../../server/loading/head.ts';
import { absoluteJsonLd, faqJsonLd, readOrganization, siteJsonLd } from '../../../server/loading/json-ld.ts';
import { type Loader, locationOf, type RouteContent } from '../../../server/loading/loader.ts';
import { createPageIds, type PageIds } from '../../../server/loading/page-ids.ts';
import { siteNameOf } from '../../../server/loading/shell.ts';
import { dateOf } from '../../../server/wire/wire.ts';
import {
  type BlockName,
  blockData,
  type LandingConfig,
  type LandingPosition,
  type ShownPosition,
} from '../../../shared/content/landing.ts';
import type { WorldMap } from '../../../shared/content/world-map.ts';
import type { HomeContext } from '../../blocks/complete-block.server.ts';
import { completed } from '../../blocks/completions.server.ts';
import { header } from '../../blocks/header/header.block.ts';
import { completeHeader } from '../../blocks/header/header.load.server.ts';
import { blocks } from '../../blocks.ts';
import type { HomeData } from './home.route.ts';

const loadHome: Loader<'home'> = async ({ reader, origin, worldMap }) => {
  const [landing, settings, organization] = await Promise.all([
    reader.landing(),
    reader.settings(),
    readOrganization(reader, origin),
  ]);
  const h1 = landing.headerBlock?.title ?? landing.h1 ?? landing.title ?? siteNameOf(settings, origin);
  const data = homeData(landing, h1, worldMap);
  const written = [landing.schema1, landing.schema2, landing.schema3]
    .filter(schema => schema !== null)
    .map(schema => absoluteJsonLd(schema, origin));
  const showsQuestions = data.positions.some(position => 'block' in position && position.block === 'faq');
  return {
    kind: 'page',
    data,
    head: entryHead(landing),
    jsonLd: [
      ...siteJsonLd(organization, written),
      ...written,
      ...(showsQuestions ? faqJsonLd(landing.faqBlock?.items ?? []) : []),
    ],
  };
};

const content: RouteContent<'home'> = {
  load: loadHome,
  async locations(reader) {
    const { attributes, seo } = await reader.landing('used');
    return isHiddenBy(seo.robots)
      ? []
      : [locationOf('home', {}, { lastModified: dateOf(attributes.updatedAt) })];
  },
};

export default content;

function homeData(landing: LandingConfig, h1: string, worldMap: WorldMap): HomeData {
  const context = { h1, landing, worldMap, ids: createPageIds() };
  // Treat an empty list as no order, because a CMS sends it if editors have set none.
  const positions: readonly LandingPosition[] = landing.positionsAndCustomBlocks?.length
    ? withIds(landing.positionsAndCustomBlocks, context.ids)
    : blocks.map(({ name }) => ({ block: name }));
  const shown = positions.flatMap((position): ShownPosition | [] => {
    if ('custom' in position) return position;
    const data = shownBlock(position.block, context);
    return data ? { block: position.block, data } : [];
  });
  return { h1, positions: shown };
}

function shownBlock(name: BlockName, context: HomeContext): object | null {
  if (name === header.name) {
    const values = blockData(header, context.landing);
    return values && completeHeader(values, context);
  }
  const block = blocks.find(one => one.name === name);
  const values = block ? blockData(block, context.landing) : null;
  return values ? completed(name, values, context) : null;
}

/** Gives ids first to all custom blocks, then to elements in their texts. */
function withIds(positions: readonly LandingPosition[], ids: PageIds): readonly LandingPosition[] {
  return positions
    .map(position => ('custom' in position ? { ...position, id: ids.section(position.id) } : position))
    .map(position => ('custom' in position ? { ...position, custom: ids.text(position.custom) } : position));
}
