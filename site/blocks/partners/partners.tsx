import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Link } from '../../../shared/ui/link.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { SectionHeading } from '../../parts/section-heading.tsx';
import type { partners } from './partners.block.ts';
import styles from './partners.module.css';

function PartnerMark({ partner }: { partner: BlockData<typeof partners>['items'][number] }) {
  return partner.logo ? (
    <img src={partner.logo} alt={partner.name} height={32} loading="lazy" className={styles.logo} />
  ) : (
    <span className={styles.name}>{partner.name}</span>
  );
}

export default function Partners({ data, id = 'partners' }: BlockProps<BlockData<typeof partners>>) {
  const labels = useLabels();
  const { title, text, items } = data;
  return (
    <ServedElement as="section" source={data} className="el-section">
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading id={`${id}-title`} title={title ?? labels.text('partners')} text={text} />
        <ul className={styles.list}>
          {items.map(partner => (
            <li key={`${partner.name} ${partner.href}`}>
              {partner.href ? (
                <Link href={partner.href} className={styles.link}>
                  <PartnerMark partner={partner} />
                </Link>
              ) : (
                <span className={styles.link}>
                  <PartnerMark partner={partner} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </ServedElement>
  );
}
