import type { ReactNode } from 'react';
import type { NavigationLink } from '../../../shared/content/links.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { ariaCurrent } from '../../../shared/routing/is-current.ts';
import { useLocation } from '../../../shared/routing/router.ts';
import { Link } from '../../../shared/ui/link.tsx';
import styles from './menu-links.module.css';

interface MenuLinksProps {
  links: readonly NavigationLink[];
  offer: ReactNode;
}

export function MenuLinks({ links, offer }: MenuLinksProps) {
  const labels = useLabels();
  const { pathname } = useLocation();
  return (
    <nav aria-label={labels.text('mainNavigation')}>
      <ul className={styles.root}>
        {links.map(link => (
          <li key={`${link.href} ${link.title}`} className={styles.item}>
            <Link href={link.href} className={styles.link} aria-current={ariaCurrent(link.href, pathname)}>
              {link.title}
            </Link>
            {link.children.length > 0 ? (
              <ul className={styles.children}>
                {link.children.map(child => (
                  <li key={`${child.href} ${child.title}`}>
                    <Link
                      href={child.href}
                      className={styles.child}
                      aria-current={ariaCurrent(child.href, pathname)}
                    >
                      {child.title}
                    </Link>
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ul>
      {offer}
    </nav>
  );
}
