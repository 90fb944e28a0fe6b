import type { JsonObject } from './json.ts';
import type { ContentLink, Question } from './links.ts';
import type { RichText } from './rich-text.ts';

/** The hero. */
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
/** A payment method's mark. */
export interface PaymentImage {
  id: string;
  title: string | null;
  icon: string | null;
  alt: string;
}
/** A mark of the hero. */
export interface LabelledIcon {
  src: string;
  /** Stands beside it. */
  caption: string | null;
  /** Stands for it, where it has no caption. */
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
export interface Country {
  id: string;
  /** The key for the map, as the backend names the country. */
  name: string | null;
  title: string;
  link: string | null;
  icon: string | null;
}

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

/** A place on the landing page: one of the known blocks, or rich text of the editor's own. */
export type LandingPosition = { block: LandingBlockName } | { custom: RichText; id: string };

/** The record `landing`, decoded. A block that is missing or broken in the content is null (lists: empty). */
export interface LandingConfig {
  id: string;
  /** All attributes of the record. They stay on the server. */
  attributes: JsonObject;
  title: string | null;
  description: string | null;
  h1: string | null;
  headerBlock: HeaderBlock | null;
  paymentsBlock: PaymentsBlock | null;
  directionsBlock: DirectionsBlock | null;
  partnersBlock: PartnersBlock | null;
  metricsBlockUsdList: readonly UsdMetric[];
  metricsBlockPositiveQualities: readonly TitledText[];
  earnMoreBlock: EarnMoreBlock | null;
  contactsBlock: ContactsBlock | null;
  faqBlock: FaqBlock | null;
  contactsListWithCheckmarks: readonly string[];
  /** The order of the page; null means the order of `LANDING_BLOCKS`. */
  positionsAndCustomBlocks: readonly LandingPosition[] | null;
  subscribeBlockSocials: readonly ContentLink[];
  /** As the backend has it. */
  faqBlockContent: string | null;
  /** `faqBlockContent` made ready to be shown. */
  faqBlockRichText: RichText;
  /** Addresses. */
  block1Icons: readonly string[];
  /** The same with their labels. */
  block1LabelledIcons: readonly LabelledIcon[];
  paymentBlockImages: readonly PaymentImage[];
  /** Three consecutive columns of equal size, rounded up. */
  countriesBlockCountries: readonly [readonly Country[], readonly Country[], readonly Country[]];
  /** JSON-LD as JSON strings, or null when absent. */
  schema1: string | null;
  schema2: string | null;
  schema3: string | null;
}
