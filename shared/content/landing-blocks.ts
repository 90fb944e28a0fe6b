import type { ContentLink, Question } from './links.ts';

/** All blocks of the landing page, in the order in which they stand unless the content gives another one. */
export const LANDING_BLOCKS = [
  'header',
  'countries',
  'payments',
  'directions',
  'partners',
  'metrics',
  'earnMore',
  'contacts',
  'faq',
  'subscribe',
] as const;
/** The place of a text of the editor's own, in the list of the blocks. It may also have no block. */
export const OWN_TEXT = 'ownText';
export type LandingBlockName = (typeof LANDING_BLOCKS)[number];

/** Blocks that are not one JSON field of the record `landing`: they are made from several fields, or from none. */
const OTHER_BLOCKS = ['countries', 'metrics', 'subscribe'] as const satisfies readonly LandingBlockName[];

/** Blocks that are one JSON field each: the block `partners` is the field `partnersBlock`. */
export type JsonBlockName = Exclude<LandingBlockName, (typeof OTHER_BLOCKS)[number]>;

/** The decoded JSON field of each block. The compiler reports a block that has no member here. */
export interface JsonBlocks {
  header: HeaderBlock;
  payments: PaymentsBlock;
  directions: DirectionsBlock;
  partners: PartnersBlock;
  earnMore: EarnMoreBlock;
  contacts: ContactsBlock;
  faq: FaqBlock;
}

/** The hero block. */
export interface HeaderBlock {
  eyebrow: string | null;
  title: string | null;
  text: string | null;
  primary: ContentLink | null;
  secondary: ContentLink | null;
}
export interface PaymentsBlock {
  title: string | null;
  text: string | null;
  link: ContentLink | null;
}
export interface Direction {
  title: string;
  text: string | null;
  href: string | null;
  icon: string | null;
}
export interface DirectionsBlock {
  title: string | null;
  text: string | null;
  items: readonly Direction[];
}
export interface Partner {
  name: string;
  logo: string | null;
  href: string | null;
}
export interface PartnersBlock {
  title: string | null;
  text: string | null;
  items: readonly Partner[];
}
export interface TitledText {
  title: string | null;
  text: string | null;
}
export interface EarnMoreBlock {
  title: string | null;
  text: string | null;
  steps: readonly TitledText[];
  link: ContentLink | null;
}
export interface ContactsBlock {
  title: string | null;
  text: string | null;
  email: string | null;
  phone: string | null;
  address: string | null;
}
export interface FaqBlock {
  title: string | null;
  items: readonly Question[];
}

/** The fields of the record `landing` that hold blocks. A block that is missing or broken in the content is null. */
export type JsonBlockFields = { [Name in JsonBlockName as `${Name}Block`]: JsonBlocks[Name] | null };

export const jsonBlockNames = LANDING_BLOCKS.filter(
  (name): name is JsonBlockName => !OTHER_BLOCKS.some(other => other === name),
);

/** @returns the field of a block. */
export function blockField<Name extends JsonBlockName>(name: Name): `${Name}Block` {
  return `${name}Block`;
}

/** @returns a record with one member for each field that holds a block. */
export function perBlockField<T>(make: (name: JsonBlockName) => T): {
  [Field in keyof JsonBlockFields]: T;
} {
  return Object.fromEntries(jsonBlockNames.map(name => [blockField(name), make(name)])) as {
    [Field in keyof JsonBlockFields]: T;
  };
}
