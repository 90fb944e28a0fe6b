import type { LandingConfig, LandingPosition } from '../../shared/content/landing.ts';
import {
  blockField,
  type JsonBlockName,
  type JsonBlocks,
  jsonBlockNames,
  LANDING_BLOCKS,
} from '../../shared/content/landing-blocks.ts';
import type { WorldMap } from '../../shared/content/world-map.ts';
import type { ContactsData, HomeData } from '../../shared/payload/payload.ts';
import { isHiddenBy } from '../content/decode/decode-seo.ts';
import { dateOf } from '../content/decode/wire.ts';
import { drawCorridors } from './corridor-map.ts';
import { entryHead } from './head.ts';
import { absoluteJsonLd, faqJsonLd } from './json-ld.ts';
import { type Loader, locationOf, type RouteContent } from './loader.ts';
import { readOrganization, siteJsonLd } from './organization-json-ld.ts';
import { createPageIds, type PageIds } from './page-ids.ts';
import { siteNameOf } from './shell.ts';

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

export const home: RouteContent<'home'> = {
  load: loadHome,
  async locations(reader) {
    const { attributes, seo } = await reader.landing('used');
    return isHiddenBy(seo.robots)
      ? []
      : [locationOf('home', {}, { lastModified: dateOf(attributes.updatedAt) })];
  },
};

function homeData(landing: LandingConfig, h1: string, worldMap: WorldMap): HomeData {
  const {
    metricsBlockUsdList: usd,
    metricsBlockPositiveQualities: qualities,
    faqBlock,
    faqBlockRichText,
  } = landing;
  const ids = createPageIds();
  return {
    ...jsonBlocks(landing),
    h1,
    // A CMS whose editors have not filled in the order sends an empty list.
    positions: landing.positionsAndCustomBlocks?.length
      ? withIds(landing.positionsAndCustomBlocks, ids)
      : LANDING_BLOCKS.map((block): LandingPosition => ({ block })),
    header: landing.headerBlock && {
      ...landing.headerBlock,
      icons: landing.block1LabelledIcons,
      map: drawCorridors(worldMap, landing.countriesBlockCountries.flat()),
    },
    countries: landing.countriesBlockCountries.map(column =>
      column.map(({ title, link, icon }) => ({ title, link, icon })),
    ),
    payments: landing.paymentsBlock && {
      ...landing.paymentsBlock,
      images: landing.paymentBlockImages.map(({ title, icon, alt }) => ({ title, icon, alt })),
    },
    metrics: usd.length > 0 || qualities.length > 0 ? { usd, qualities } : null,
    contacts: contactsData(landing),
    faq:
      faqBlock || faqBlockRichText.length > 0
        ? {
            title: faqBlock?.title ?? null,
            items: ids.questions(faqBlock?.items ?? []),
            content: ids.text(faqBlockRichText),
          }
        : null,
  };
}

/** @returns the positions with ids that are new on the page: first those of all custom blocks, then those in their texts. */
function withIds(positions: readonly LandingPosition[], ids: PageIds): readonly LandingPosition[] {
  return positions
    .map(position => ('custom' in position ? { ...position, id: ids.section(position.id) } : position))
    .map(position => ('custom' in position ? { ...position, custom: ids.text(position.custom) } : position));
}

/** @returns the blocks that are one JSON field, as they were decoded. `homeData` replaces the blocks that show more than their field. */
function jsonBlocks(landing: LandingConfig) {
  const blocks = jsonBlockNames.map(name => [name, landing[blockField(name)]]);
  return Object.fromEntries(blocks) as { [Name in JsonBlockName]: JsonBlocks[Name] | null };
}

/** @returns the contacts section; null when the landing config has none. */
export function contactsData(
  landing: Pick<LandingConfig, 'contactsBlock' | 'contactsListWithCheckmarks'>,
): ContactsData | null {
  return (
    landing.contactsBlock && { block: landing.contactsBlock, checkmarks: landing.contactsListWithCheckmarks }
  );
}
