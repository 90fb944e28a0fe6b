import type { EntityOf } from './content-types.ts';
import type { JsonObject } from './json.ts';
import type { ContentLink, Question } from './links.ts';
import type { RichText } from './rich-text.ts';

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
/** The logo of a payment method. */
export interface PaymentImage {
  id: string;
  title: string | null;
  icon: string | null;
  alt: string;
}
/** An icon of the hero block. */
export interface LabelledIcon {
  src: string;
  /** The text beside the icon. */
  caption: string | null;
  /** The alternative text, used when there is no caption. */
  alt: string;
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
/** An amount in US dollars. */
export interface UsdMetric {
  value: number;
  label: string | null;
  note: string | null;
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
/** A country of the landing page. `name` is the backend's name of it, which is the key for the map. */
export type Country = Omit<EntityOf<'country'>, 'image'> & { icon: string | null };

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
export type LandingBlockName = (typeof LANDING_BLOCKS)[number];

/** A position on the landing page: a known block, or an editor's rich text. */
export type LandingPosition = { block: LandingBlockName } | { custom: RichText; id: string };

/**
 * The record `landing`, decoded. A block that is missing or broken in the content is null; such a list is empty. `faqBlockContent` is the
 * backend's source text, `block1Icons` the addresses of the icons, `schema1` to `schema3` are JSON-LD as JSON strings.
 */
export interface LandingConfig extends Omit<EntityOf<'landing'>, 'countries_list' | 'paymentBlockImages'> {
  /** All attributes of the record. They stay on the server. */
  attributes: JsonObject;
  headerBlock: HeaderBlock | null;
  paymentsBlock: PaymentsBlock | null;
  directionsBlock: DirectionsBlock | null;
  partnersBlock: PartnersBlock | null;
  metricsBlockUsdList: readonly UsdMetric[];
  metricsBlockPositiveQualities: readonly TitledText[];
  earnMoreBlock: EarnMoreBlock | null;
  contactsBlock: ContactsBlock | null;
  faqBlock: FaqBlock | null;
  /** The order of the blocks. Null means the order of `LANDING_BLOCKS`. */
  positionsAndCustomBlocks: readonly LandingPosition[] | null;
  /** `faqBlockContent` as a sanitised tree. */
  faqBlockRichText: RichText;
  /** The icons of `block1Icons` with their labels. */
  block1LabelledIcons: readonly LabelledIcon[];
  paymentBlockImages: readonly PaymentImage[];
  /** Three consecutive columns of equal size, rounded up. */
  countriesBlockCountries: readonly [readonly Country[], readonly Country[], readonly Country[]];
}
