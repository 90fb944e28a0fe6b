import { ContactsBlock } from '../blocks/contacts-block.tsx';
import { CountriesBlock } from '../blocks/countries-block.tsx';
import { CustomBlock } from '../blocks/custom-block.tsx';
import { DirectionsBlock } from '../blocks/directions-block.tsx';
import { EarnMoreBlock } from '../blocks/earn-more-block.tsx';
import { FaqBlock } from '../blocks/faq-block.tsx';
import { HeroBlock } from '../blocks/hero-block.tsx';
import { MetricsBlock } from '../blocks/metrics-block.tsx';
import { PartnersBlock } from '../blocks/partners-block.tsx';
import { PaymentsBlock } from '../blocks/payments-block.tsx';
import { SubscribeSocialsBlock } from '../blocks/subscribe-socials-block.tsx';
import type { LandingBlockName } from '../content/landing-blocks.ts';
import type { HomeData } from '../payload/payload.ts';

interface BlockProps {
  name: LandingBlockName;
  data: HomeData;
  /** Whether no other known block follows. A `subscribe` block in the last place is left out, because the subscribe block above the footer follows it. */
  isLast: boolean;
}

function Block({ name, data, isLast }: BlockProps) {
  switch (name) {
    case 'header':
      return data.header ? <HeroBlock h1={data.h1} header={data.header} /> : null;
    case 'countries':
      return <CountriesBlock countries={data.countries} />;
    case 'payments':
      return data.payments ? <PaymentsBlock payments={data.payments} /> : null;
    case 'directions':
      return data.directions ? <DirectionsBlock directions={data.directions} /> : null;
    case 'partners':
      return data.partners ? <PartnersBlock partners={data.partners} /> : null;
    case 'metrics':
      return data.metrics ? <MetricsBlock metrics={data.metrics} /> : null;
    case 'earnMore':
      return data.earnMore ? <EarnMoreBlock earnMore={data.earnMore} /> : null;
    case 'contacts':
      return data.contacts ? <ContactsBlock contacts={data.contacts} /> : null;
    case 'faq':
      return data.faq ? <FaqBlock faq={data.faq} /> : null;
    case 'subscribe':
      return isLast ? null : <SubscribeSocialsBlock />;
    default:
      return name satisfies never;
  }
}

/** The landing page: its blocks in the content's order, each at most once. */
export default function HomePage({ data }: { data: HomeData }) {
  const { positions } = data;
  const lastBlock = positions.findLastIndex(position => 'block' in position);
  const hasHero =
    data.header !== null && positions.some(position => 'block' in position && position.block === 'header');
  return (
    <>
      {hasHero ? null : (
        <h1 tabIndex={-1} className="el-visually-hidden">
          {data.h1}
        </h1>
      )}
      {positions.map((position, index) =>
        'block' in position ? (
          <Block key={position.block} name={position.block} data={data} isLast={index === lastBlock} />
        ) : (
          <CustomBlock
            key={position.id}
            id={position.id}
            number={positions.slice(0, index + 1).filter(other => 'custom' in other).length}
            content={position.custom}
          />
        ),
      )}
    </>
  );
}
