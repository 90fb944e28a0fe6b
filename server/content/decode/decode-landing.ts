import { COUNTRY_COLUMNS } from '../../../shared/constants.ts';
import { blockComponent, componentKeys } from '../../../shared/content/components.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import type { JsonObject } from '../../../shared/content/json.ts';
import type { Country, LandingConfig, LandingPosition, UsdMetric } from '../../../shared/content/landing.ts';
import {
  blockField,
  type ContactsBlock,
  type Direction,
  type DirectionsBlock,
  type EarnMoreBlock,
  type FaqBlock,
  type HeaderBlock,
  type JsonBlockFields,
  type JsonBlockName,
  type JsonBlocks,
  LANDING_BLOCKS,
  type LandingBlockName,
  OWN_TEXT,
  type Partner,
  type PartnersBlock,
  type PaymentsBlock,
  perBlockField,
  type TitledText,
} from '../../../shared/content/landing-blocks.ts';
import { descriptionOf } from '../described-types.ts';
import { settledId } from '../rich-text/settle-ids.ts';
import { hrefAt } from './decode-addresses.ts';
import { type DecodeContext, inside, isGiven, lose, quoted } from './decode-context.ts';
import { decodeFields } from './decode-entity.ts';
import {
  labelledIconsOf,
  linkAt,
  loseItem,
  mediaAddressOf,
  questionsOf,
  richTextAt,
} from './decode-fields.ts';
import { itemsAt, jsonAt, notShown, objectAt, objectsAt, textAt } from './decode-json.ts';
import { withSeo } from './decode-seo.ts';
import type { WireEntry } from './wire.ts';

/** @returns the landing config. A block that is absent or broken is null or an empty list. */
export function decodeLanding({ id, attributes }: WireEntry, context: DecodeContext): LandingConfig {
  const { countries_list, paymentBlockImages, ...fields } = withSeo(
    decodeFields(contentTypes.landing, attributes, context),
    context,
  );
  const at = (name: keyof typeof contentTypes.landing.fields) =>
    [attributes[name], inside(context, name)] as const;
  const countries = countries_list.map(({ image, ...country }): Country => ({ ...country, icon: image }));
  const landing: LandingConfig = {
    id,
    attributes: attributes as JsonObject,
    ...fields,
    ...jsonBlocks(attributes, context),
    metricsBlockUsdList: usdMetrics(...at('metricsBlockUsdList')),
    metricsBlockPositiveQualities: titledTexts(...at('metricsBlockPositiveQualities')),
    positionsAndCustomBlocks: positions(...at('positionsAndCustomBlocks')),
    faqBlockRichText: richTextAt(...at('faqBlockContent')),
    block1LabelledIcons: labelledIconsOf(attributes.block1Icons, context),
    paymentBlockImages: paymentBlockImages.map(({ id, title, image }) => ({
      id,
      title,
      icon: image?.src ?? null,
      alt: image?.alt || (title ?? ''),
    })),
    countriesBlockCountries: inColumns(countries),
  };
  reportHiddenParts(landing, context);
  return landing;
}

/** Reports fields that no block shows, because the block has nothing else to show or its own field is empty. */
function reportHiddenParts(landing: LandingConfig, context: DecodeContext): void {
  const { partnersBlock, directionsBlock, paymentsBlock, earnMoreBlock, faqBlock } = landing;
  const report = (field: string, needed: string, ...hidden: readonly (string | null | undefined)[]) => {
    const words = hidden.find(Boolean);
    if (words) lose(inside(context, field), 'value-left-out', `${quoted(words)} is not shown: ${needed}`);
  };
  if (partnersBlock?.items.length === 0)
    report('partnersBlock', 'the block needs a partner', partnersBlock.title, partnersBlock.text);
  if (directionsBlock?.items.length === 0 && !directionsBlock.title)
    report('directionsBlock', 'the block needs a title or a direction', directionsBlock.text);
  if (earnMoreBlock && !earnMoreBlock.title && !earnMoreBlock.text && earnMoreBlock.steps.length === 0)
    report('earnMoreBlock', 'the block needs a title, a text or a step', earnMoreBlock.link?.title);
  if (faqBlock?.items.length === 0 && landing.faqBlockRichText.length === 0)
    report('faqBlock', 'the block needs a question or a text in faqBlockContent', faqBlock.title);
  const [logo] = landing.paymentBlockImages;
  if (!paymentsBlock) report('paymentBlockImages', 'paymentsBlock is empty', logo?.title, logo?.icon);
  else if (!logo && !paymentsBlock.title && !paymentsBlock.text)
    report('paymentsBlock', 'the block needs a title, a text or a logo', paymentsBlock.link?.title);
  if (!landing.headerBlock)
    report('block1Icons', 'headerBlock is empty', ...landing.block1LabelledIcons.map(({ src }) => src));
  if (!landing.contactsBlock)
    report('contactsListWithCheckmarks', 'contactsBlock is empty', ...landing.contactsListWithCheckmarks);
}

/** @returns the items in three columns of equal size, in order. The last columns may be shorter or empty. */
export function inColumns<T>(items: readonly T[]): readonly [readonly T[], readonly T[], readonly T[]] {
  const size = Math.ceil(items.length / COUNTRY_COLUMNS);
  return [items.slice(0, size), items.slice(size, 2 * size), items.slice(2 * size)];
}

/** The decoder of each block that is one field, a component or JSON with the keys of the component. */
const BLOCK_DECODERS: {
  readonly [Name in JsonBlockName]: (value: JsonObject, context: DecodeContext) => JsonBlocks[Name];
} = {
  header: headerBlock,
  payments: paymentsBlock,
  directions: directionsBlock,
  partners: partnersBlock,
  earnMore: earnMoreBlock,
  contacts: contactsBlock,
  faq: faqBlock,
};

function jsonBlocks(attributes: WireEntry['attributes'], context: DecodeContext): JsonBlockFields {
  const decoded = perBlockField(name => {
    const at = inside(context, blockField(name));
    const keys = Object.keys(descriptionOf(blockComponent(name)).fields);
    const value = objectAt(attributes[blockField(name)], at, keys);
    return value && BLOCK_DECODERS[name](value, at);
  });
  // BLOCK_DECODERS gives each block the type that JsonBlocks says.
  return decoded as JsonBlockFields;
}

/** @returns the texts of an object under some of its keys. */
function texts<Key extends string>(value: JsonObject, context: DecodeContext, ...keys: readonly Key[]) {
  const entries = keys.map(key => [key, textAt(value[key], inside(context, key))]);
  return Object.fromEntries(entries) as Record<Key, string | null>;
}

function headerBlock(value: JsonObject, context: DecodeContext): HeaderBlock {
  return {
    ...texts(value, context, 'title', 'text', 'eyebrow'),
    primary: linkAt(value.primary, inside(context, 'primary')),
    secondary: linkAt(value.secondary, inside(context, 'secondary')),
  };
}

function paymentsBlock(value: JsonObject, context: DecodeContext): PaymentsBlock {
  return { ...texts(value, context, 'title', 'text'), link: linkAt(value.link, inside(context, 'link')) };
}

function directionsBlock(value: JsonObject, context: DecodeContext): DirectionsBlock {
  const items = objectsAt(value.items, inside(context, 'items'), componentKeys('direction'));
  return {
    ...texts(value, context, 'title', 'text'),
    items: items.flatMap(([item, at]): Direction[] => {
      const { title, text } = texts(item, at, 'title', 'text');
      const href = hrefAt(item.href, inside(at, 'href'), 'the direction is shown without a link');
      const icon = mediaAddressOf(item.icon, inside(at, 'icon'));
      if (title) return [{ title, text, href, icon }];
      loseItem(at, item, 'a direction', 'a title');
      return [];
    }),
  };
}

function partnersBlock(value: JsonObject, context: DecodeContext): PartnersBlock {
  const { title, text } = texts(value, context, 'title', 'text');
  const items = objectsAt(value.items, inside(context, 'items'), componentKeys('partner')).flatMap(
    ([item, at]): Partner[] => {
      const name = textAt(item.name, inside(at, 'name'));
      const logo = mediaAddressOf(item.logo, inside(at, 'logo'));
      const href = hrefAt(item.href, inside(at, 'href'), 'the partner is shown without a link');
      if (name) return [{ name, logo, href }];
      loseItem(at, item, 'a partner', 'a name');
      return [];
    },
  );
  return { title, text, items };
}

function usdMetrics(list: unknown, context: DecodeContext): readonly UsdMetric[] {
  return objectsAt(list, context, componentKeys('usd-metric')).flatMap(([item, at]): UsdMetric[] => {
    // Editors write the JSON by hand, so a number may come as text, such as `"1250000"`.
    const { value: given } = item;
    const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    const shown = texts(item, at, 'label', 'note');
    if (typeof value === 'number' && Number.isFinite(value)) return [{ value, ...shown }];
    if (isGiven(value))
      lose(inside(at, 'value'), 'value-left-out', notShown(given, 'a number such as 1250000'));
    loseItem(at, item, 'a figure', 'a number');
    return [];
  });
}

function titledTexts(value: unknown, context: DecodeContext): readonly TitledText[] {
  return objectsAt(value, context, componentKeys('titled-text'))
    .map(([item, at]) => texts(item, at, 'title', 'text'))
    .filter(item => item.title ?? item.text);
}

function earnMoreBlock(value: JsonObject, context: DecodeContext): EarnMoreBlock {
  const { title, text } = texts(value, context, 'title', 'text');
  const steps = titledTexts(value.steps, inside(context, 'steps'));
  const link = linkAt(value.link, inside(context, 'link'));
  return { title, text, steps, link };
}

function contactsBlock(value: JsonObject, context: DecodeContext): ContactsBlock {
  return texts(value, context, 'title', 'text', 'email', 'phone', 'address');
}

function faqBlock(value: JsonObject, context: DecodeContext): FaqBlock {
  return {
    ...texts(value, context, 'title'),
    items: questionsOf(value.items, inside(context, 'items')),
  };
}

const BLOCK_NAMES: ReadonlySet<unknown> = new Set(LANDING_BLOCKS);
const isBlockName = (name: unknown): name is LandingBlockName => BLOCK_NAMES.has(name);

/** @returns the order of the landing page, each block once; null for none. Everything else in the list is reported. */
export function positions(value: unknown, context: DecodeContext): readonly LandingPosition[] | null {
  const list = jsonAt(value, context);
  const items = itemsAt(list, context);
  if (!Array.isArray(list)) return null;
  const placed = new Set<LandingBlockName>();
  const ids = new Set<string>();
  return items.flatMap(([item, at], index): LandingPosition[] => {
    // A text is short for an object with a block.
    const position: JsonObject | null =
      typeof item === 'string'
        ? { block: item }
        : objectAt(item, at, [...componentKeys('landing-position'), 'id']);
    if (!position) return [];
    const { block: name, custom, anchor, id } = position;
    // A component has an `id` of the CMS: a number, and a new one after each publish.
    const isComponent = anchor !== undefined && typeof id !== 'string';
    const idKey = isComponent || isGiven(anchor) ? 'anchor' : 'id';
    if (isGiven(name) && name !== OWN_TEXT) {
      if (isGiven(custom))
        lose(
          inside(at, 'custom'),
          'value-left-out',
          'the text is not shown: a position has a block or a text',
        );
      if (!isBlockName(name))
        lose(at, 'value-left-out', notShown(name, `one of ${LANDING_BLOCKS.join(', ')}`));
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
    const settled = settledId(own ?? `block-${index + 1}`);
    if (own !== null && (own !== settled || ids.has(own))) {
      const why = ids.has(own)
        ? 'another block has it'
        : 'the site uses it, or it has characters that an id may not have';
      const id = ids.has(own) ? 'an id with a number' : quoted(settled);
      lose(inside(at, idKey), 'value-left-out', `the id ${quoted(own)} becomes ${id}, because ${why}`);
    }
    ids.add(settled);
    return text.length > 0 ? [{ custom: text, id: settled }] : [];
  });
}
