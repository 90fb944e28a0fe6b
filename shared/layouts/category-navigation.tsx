import { useLocation } from 'react-router-dom';
import type { CategoryRef } from '../content/blog.ts';
import { pathTo } from '../routes.ts';
import { Link } from '../ui/link.tsx';
import styles from './category-navigation.module.css';

/** The blog's categories in one line, which scrolls sideways where it does not fit. */
export function CategoryNavigation({ categories }: { categories: readonly CategoryRef[] }) {
  const { pathname } = useLocation();
  if (categories.length === 0) return null;
  const blog = pathTo('blog', {});
  const links = [
    { id: 'all', name: 'All articles', href: blog, current: pathname === blog },
    ...categories.map(({ id, name, slug }) => {
      const href = pathTo('blog-category', { category: slug });
      return { id, name, href, current: pathname === href || pathname.startsWith(`${href}/`) };
    }),
  ];
  return (
    <nav aria-label="Categories" className={styles.root} data-scroll-area="">
      <ul className={styles.list}>
        {links.map(link => (
          <li key={link.id}>
            <Link
              href={link.href}
              className={styles.link}
              aria-current={link.current ? (pathname === link.href ? 'page' : 'true') : undefined}
            >
              {link.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
