import type { NavigationLink } from '../../../shared/content/links.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { ariaCurrent } from '../../../shared/routing/is-current.ts';
import { useLocation } from '../../../shared/routing/router.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import styles from './header-navigation.module.css';
import { useDropdowns } from './use-dropdowns.ts';

/** Navigation with dropdowns as `<details>`, which open one at a time and without JavaScript. */
export function HeaderNavigation({ links }: { links: readonly NavigationLink[] }) {
  const labels = useLabels();
  const { pathname } = useLocation();
  const ref = useDropdowns();
  return (
    <nav ref={ref} aria-label={labels.text('mainNavigation')} className={styles.root}>
      <ul className={styles.list}>
        {links.map(link => (
          <li key={`${link.href} ${link.title}`}>
            {link.children.length > 0 ? (
              <details name="navigation" className={styles.dropdown}>
                <summary className={styles.link}>
                  {link.title}
                  <Icon name="chevron" className={styles.chevron} />
                </summary>
                <ul className={styles.panel}>
                  {link.children.map(child => (
                    <li key={`${child.href} ${child.title}`}>
                      <Link
                        href={child.href}
                        className={styles.option}
                        aria-current={ariaCurrent(child.href, pathname)}
                      >
                        {child.icon ? (
                          <img src={child.icon} alt="" width={20} height={20} loading="lazy" />
                        ) : null}
                        {child.title}
                        {child.text ? <small>{child.text}</small> : null}
                      </Link>
                    </li>
                  ))}
                  {link.children.some(child => child.href === link.href) ||
                  link.href.startsWith('#') ? null : (
                    <li>
                      <Link
                        href={link.href}
                        className={styles.option}
                        aria-current={ariaCurrent(link.href, pathname)}
                      >
                        {labels.text('allOf', { title: link.title })}
                        <Icon name="arrow" />
                      </Link>
                    </li>
                  )}
                </ul>
              </details>
            ) : (
              <Link href={link.href} className={styles.link} aria-current={ariaCurrent(link.href, pathname)}>
                {link.title}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
