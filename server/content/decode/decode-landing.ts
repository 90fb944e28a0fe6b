import { COUNTRY_COLUMNS } from '../../../shared/constants.ts';
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
  type Partner,
  type PartnersBlock,
  type PaymentsBlock,
  perBlockField,
  type TitledText,
} from '../../../shared/content/landing-blocks.ts';
import { safeHref } from '../safe-address.ts';
import { decodeFields } from './decode-entity.ts';
import { type DecodeContext, labelledIconsOf, linkOf, mediaAddressOf, questionsOf } from './decode-fields.ts';
import { jsonObject, jsonObjects, jsonOf, textOf, type WireEntry } from './wire.ts';

/** @returns the landing config. A block that is absent or broken is null or an empty list. */
export function decodeLanding({ id, attributes }: WireEntry, context: DecodeContext): LandingConfig {
  const { countries_list, paymentBlockImages, ...fields } = decodeFields(
    contentTypes.landing,
    attributes,
    context,
  );
  const countries = countries_list.map(({ image, ...country }): Country => ({ ...country, icon: image }));
  return {
    id,
    attributes: attributes as JsonObject,
    ...fields,
    ...jsonBlocks(attributes, context),
    metricsBlockUsdList: jsonObjects(attributes.metricsBlockUsdList).flatMap(usdMetric),
    metricsBlockPositiveQualities: titledTexts(attributes.metricsBlockPositiveQualities),
    positionsAndCustomBlocks: positions(attributes.positionsAndCustomBlocks, context),
    faqBlockRichText: context.richText.compile(fields.faqBlockContent),
    block1LabelledIcons: labelledIconsOf(attributes.block1Icons, context),
    paymentBlockImages: paymentBlockImages.map(({ id, title, image }) => ({
      id,
      title,
      icon: image?.src ?? null,
      alt: image?.alt || (title ?? ''),
    })),
    countriesBlockCountries: inColumns(countries),
  };
}

/** @returns the items in three columns of equal size, in order. The last columns may be shorter or empty. */
export function inColumns<T>(items: readonly T[]): readonly [readonly T[], readonly T[], readonly T[]] {
  const size = Math.ceil(items.length / COUNTRY_COLUMNS);
  return [items.slice(0, size), items.slice(size, 2 * size), items.slice(2 * size)];
}

/** The decoder of each block that is one JSON field. */
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
    const value = jsonObject(attributes[blockField(name)]);
    return value && BLOCK_DECODERS[name](value, context);
  });
  // BLOCK_DECODERS gives each block the type that JsonBlocks says.
  return decoded as JsonBlockFields;
}

const heading = (value: JsonObject) => ({ title: textOf(value.title), text: textOf(value.text) });

function headerBlock(value: JsonObject, context: DecodeContext): HeaderBlock {
  return {
    ...heading(value),
    eyebrow: textOf(value.eyebrow),
    primary: linkOf(value.primary, context),
    secondary: linkOf(value.secondary, context),
  };
}

function paymentsBlock(value: JsonObject, context: DecodeContext): PaymentsBlock {
  return { ...heading(value), link: linkOf(value.link, context) };
}

function directionsBlock(value: JsonObject, context: DecodeContext): DirectionsBlock {
  return {
    ...heading(value),
    items: jsonObjects(value.items).flatMap((item): Direction[] => {
      const { title, text } = heading(item);
      return title
        ? [{ title, text, href: safeHref(item.href), icon: mediaAddressOf(item.icon, context) }]
        : [];
    }),
  };
}

function partnersBlock(value: JsonObject, context: DecodeContext): PartnersBlock {
  return {
    ...heading(value),
    items: jsonObjects(value.items).flatMap((item): Partner[] => {
      const name = textOf(item.name);
      return name ? [{ name, logo: mediaAddressOf(item.logo, context), href: safeHref(item.href) }] : [];
    }),
  };
}

function usdMetric(item: JsonObject): UsdMetric[] {
  // Editors write the JSON by hand, so a number may come as text, such as `"1250000"`.
  const value = typeof item.value === 'string' && item.value.trim() !== '' ? Number(item.value) : item.value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return [];
  return [{ value, label: textOf(item.label), note: textOf(item.note) }];
}

function titledTexts(value: unknown): readonly TitledText[] {
  return jsonObjects(value)
    .map(heading)
    .filter(item => item.title ?? item.text);
}

function earnMoreBlock(value: JsonObject, context: DecodeContext): EarnMoreBlock {
  return { ...heading(value), steps: titledTexts(value.steps), link: linkOf(value.link, context) };
}

function contactsBlock(value: JsonObject): ContactsBlock {
  return {
    ...heading(value),
    email: textOf(value.email),
    phone: textOf(value.phone),
    address: textOf(value.address),
  };
}

function faqBlock(value: JsonObject, context: DecodeContext): FaqBlock {
  return { title: textOf(value.title), items: questionsOf(value.items, context) };
}

function positions(value: unknown, context: DecodeContext): readonly LandingPosition[] | null {
  const decoded = jsonOf(value);
  if (!Array.isArray(decoded)) return null;
  const known: ReadonlySet<unknown> = new Set(LANDING_BLOCKS);
  const isKnown = (name: unknown): name is (typeof LANDING_BLOCKS)[number] => known.has(name);
  return jsonObjects(decoded).flatMap((item, index): LandingPosition[] => {
    const name = item.block;
    if (isKnown(name)) return [{ block: name }];
    const custom = context.richText.compile(item.custom);
    return custom.length > 0 ? [{ custom, id: textOf(item.id) ?? `block-${index + 1}` }] : [];
  });
}
