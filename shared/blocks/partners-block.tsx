import type { Partner, PartnersBlock as Partners } from '../content/landing-blocks.ts';
import { useLabels } from '../labels/labels-context.ts';
import { Link } from '../ui/link.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './partners-block.module.css';
import { SectionHeading } from './section-heading.tsx';

function PartnerMark({ partner }: { partner: Partner }) {
  return partner.logo ? (
    <img src={partner.logo} alt={partner.name} height={32} loading="lazy" className={styles.logo} />
  ) : (
    <span className={styles.name}>{partner.name}</span>
  );
}

/** The company's partners: the logo of each, or the name where there is none. */
export function PartnersBlock({ partners }: { partners: Partners }) {
  const labels = useLabels();
  const { title, text, items } = partners;
  if (items.length === 0) return null;
  return (
    <ServedElement as="section" source={partners} className="el-section" aria-labelledby="partners-title">
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading id="partners-title" title={title ?? labels.text('partners')} text={text} />
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
