import { useLocation } from 'react-router-dom';
import type { CategoryRef } from '../content/blog.ts';
import { useLabels } from '../labels/labels-context.ts';
import { pathTo } from '../routing/routes.ts';
import { Link } from '../ui/link.tsx';
import styles from './category-navigation.module.css';
import { ShellPartElement } from './shell-part-element.tsx';

interface CategoriesProps {
  categories: readonly CategoryRef[];
}

function linksOf(categories: readonly CategoryRef[]) {
  return [
    { id: 'all', name: null, href: pathTo('blog', {}) },
    ...categories.map(({ slug, ...rest }) => ({
      ...rest,
      href: pathTo('blog-category', { category: slug }),
    })),
  ];
}

/** @returns the link of this navigation that leads to the page or to the page's category. */
export function currentHref(categories: readonly CategoryRef[], pathname: string): string | undefined {
  return linksOf(categories).find(
    ({ href }, index) => pathname === href || (index > 0 && pathname.startsWith(`${href}/`)),
  )?.href;
}

export function CategoryLinks({ categories }: CategoriesProps) {
  const labels = useLabels();
  const { pathname } = useLocation();
  const current = currentHref(categories, pathname);
  return (
    <ul className={styles.list}>
      {linksOf(categories).map(({ id, name, href }) => (
        <li key={id}>
          <Link
            href={href}
            className={styles.link}
            aria-current={href === current ? (pathname === href ? 'page' : 'true') : undefined}
          >
            {name ?? labels.text('allArticles')}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The blog's categories in one line. The line scrolls sideways if it does not fit. */
export function CategoryNavigation({ categories }: CategoriesProps) {
  const labels = useLabels();
  if (categories.length === 0) return null;
  return (
    <ShellPartElement
      part="categories"
      as="nav"
      aria-label={labels.text('categories')}
      className={styles.root}
      data-scroll-area=""
    >
      <CategoryLinks categories={categories} />
    </ShellPartElement>
  );
}
