import type { WithSeo } from './blog.ts';
import type { EntityOf } from './content-types.ts';
import type { JsonObject } from './json.ts';
import type { JsonBlockFields, LandingBlockName, TitledText } from './landing-blocks.ts';
import type { RichText } from './rich-text.ts';

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
/** An amount in the currency of the settings. The name is that of the wire. */
export interface UsdMetric {
  value: number;
  label: string | null;
  note: string | null;
}
/** A country of the landing page. `name` is its name in the backend; the map finds the country by it. */
export type Country = Omit<EntityOf<'country'>, 'image'> & { icon: string | null };

/** A position on the landing page: a known block, or an editor's rich text. */
export type LandingPosition = { block: LandingBlockName } | { custom: RichText; id: string };

/**
 * The record `landing`, decoded. A missing or broken block is null, and a missing or broken list is empty. `faqBlockContent` is the backend's
 * source text. `block1Icons` holds the addresses of the icons. `schema1` to `schema3` are JSON-LD as JSON strings.
 */
export interface LandingConfig
  extends WithSeo<Omit<EntityOf<'landing'>, 'countries_list' | 'paymentBlockImages'>>,
    JsonBlockFields {
  /** All attributes of the record. They stay on the server. */
  attributes: JsonObject;
  metricsBlockUsdList: readonly UsdMetric[];
  metricsBlockPositiveQualities: readonly TitledText[];
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
