import type { CategoryRef } from '../../shared/content/links.ts';
import { useLabels } from '../../shared/labels/labels-context.ts';
import { ariaCurrent } from '../../shared/routing/is-current.ts';
import { useLocation } from '../../shared/routing/router.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { Link } from '../../shared/ui/link.tsx';
import { ShellPartElement } from '../../shared/ui/rendering/shell-part-element.tsx';
import styles from './category-navigation.module.css';

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

export function currentHref(categories: readonly CategoryRef[], pathname: string): string | undefined {
  return linksOf(categories).find(
    ({ href }, index) => pathname === href || (index > 0 && pathname.startsWith(`${href}/`)),
  )?.href;
}

export function CategoryLinks({ categories }: CategoriesProps) {
  const labels = useLabels();
  const { pathname } = useLocation();
  return (
    <ul className={styles.list}>
      {linksOf(categories).map(({ id, name, href }) => {
        const current = ariaCurrent(href, pathname);
        return (
          <li key={id}>
            <Link
              href={href}
              className={styles.link}
              aria-current={name || current === 'page' ? current : undefined}
            >
              {name ?? labels.text('allArticles')}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

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
