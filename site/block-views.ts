import type { ComponentType } from 'react';
import type { BlockName, BlockProps } from '../shared/content/landing.ts';
import Contacts from './blocks/contacts/contacts.tsx';
import Countries from './blocks/countries/countries.tsx';
import Directions from './blocks/directions/directions.tsx';
import EarnMore from './blocks/earn-more/earn-more.tsx';
import Faq from './blocks/faq/faq.tsx';
import Header from './blocks/header/header.tsx';
import Metrics from './blocks/metrics/metrics.tsx';
import Partners from './blocks/partners/partners.tsx';
import Payments from './blocks/payments/payments.tsx';
import Subscribe from './blocks/subscribe/subscribe.tsx';

/** The component of each block. The build writes this file: the list of blocks is `blocks.ts`. */
export const blockViews = {
  contacts: Contacts,
  countries: Countries,
  directions: Directions,
  earnMore: EarnMore,
  faq: Faq,
  header: Header,
  metrics: Metrics,
  partners: Partners,
  payments: Payments,
  subscribe: Subscribe,
} satisfies { readonly [Name in BlockName]: ComponentType<BlockProps<never>> };
