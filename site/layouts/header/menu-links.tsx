import type { ReactNode } from 'react';
import type { NavigationLink } from '../../../shared/content/links.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { isCurrent } from '../../../shared/routing/is-current.ts';
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
  const current = (href: string) => (isCurrent(href, pathname) ? ('page' as const) : undefined);
  return (
    <nav aria-label={labels.text('mainNavigation')}>
      <ul className={styles.root}>
        {links.map(link => (
          <li key={`${link.href} ${link.title}`} className={styles.item}>
            <Link href={link.href} className={styles.link} aria-current={current(link.href)}>
              {link.title}
            </Link>
            {link.children.length > 0 ? (
              <ul className={styles.children}>
                {link.children.map(child => (
                  <li key={`${child.href} ${child.title}`}>
                    <Link href={child.href} className={styles.child} aria-current={current(child.href)}>
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
