import type { ComponentType } from 'react';
import type { BlockName, BlockProps } from '../shared/content/landing.ts';
import ContactsView from './blocks/contacts/contacts.tsx';
import CountriesView from './blocks/countries/countries.tsx';
import DirectionsView from './blocks/directions/directions.tsx';
import EarnMoreView from './blocks/earn-more/earn-more.tsx';
import FaqView from './blocks/faq/faq.tsx';
import HeaderView from './blocks/header/header.tsx';
import MetricsView from './blocks/metrics/metrics.tsx';
import PartnersView from './blocks/partners/partners.tsx';
import PaymentsView from './blocks/payments/payments.tsx';
import SubscribeView from './blocks/subscribe/subscribe.tsx';

/** The component of each block. The build writes this file from the list in `blocks.ts`. */
export const blockViews = {
  contacts: ContactsView,
  countries: CountriesView,
  directions: DirectionsView,
  earnMore: EarnMoreView,
  faq: FaqView,
  header: HeaderView,
  metrics: MetricsView,
  partners: PartnersView,
  payments: PaymentsView,
  subscribe: SubscribeView,
} satisfies { readonly [Name in BlockName]: ComponentType<BlockProps<never>> };
