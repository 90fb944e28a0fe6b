import type { ContentLink } from '../../shared/content/links.ts';
import { Icon } from '../../shared/ui/icon.tsx';
import { Link } from '../../shared/ui/link.tsx';
import { ServedElement } from '../../shared/ui/rendering/served-element.tsx';
import styles from './social-links.module.css';

interface SocialLinksProps {
  socials: readonly ContentLink[];
  label: string;
  /** `marks` hides the names of networks with an icon, but not from assistive technology. */
  look?: 'names' | 'marks';
}

export function SocialLinks({ socials, label, look = 'names' }: SocialLinksProps) {
  if (socials.length === 0) return null;
  return (
    <ServedElement as="ul" source={socials} className={styles.root} aria-label={label}>
      {socials.map(({ href, title, icon }) => {
        const isMark = look === 'marks' && icon;
        return (
          <li key={`${href} ${title}`}>
            <Link href={href} className={`${styles.link} ${isMark ? styles.mark : ''}`}>
              {icon ? (
                <img src={icon} alt="" width={20} height={20} loading="lazy" className={styles.icon} />
              ) : null}
              <span className={isMark ? 'el-visually-hidden' : undefined}>{title}</span>
              {icon ? null : <Icon name="arrow-out" className={styles.out} />}
            </Link>
          </li>
        );
      })}
    </ServedElement>
  );
}
