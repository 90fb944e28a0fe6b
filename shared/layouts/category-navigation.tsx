import { useLocation } from 'react-router-dom';
import type { CategoryRef } from '../content/blog.ts';
import { pathTo } from '../routes.ts';
import { Link } from '../ui/link.tsx';
import styles from './category-navigation.module.css';
import { ShellPartElement } from './shell-part-element.tsx';

/** Where a page of the blog stands among the categories: on the page of one, or on a page within it. */
export interface CurrentCategory {
  href: string;
  as: 'page' | 'true';
}

/** @returns the link of this navigation that leads to a page, or to what the page is a part of. */
export function currentCategory(
  categories: readonly CategoryRef[],
  pathname: string,
): CurrentCategory | null {
  const blog = pathTo('blog', {});
  const within = categories.map(hrefOf).find(each => pathname === each || pathname.startsWith(`${each}/`));
  const href = pathname === blog ? blog : within;
  return href === undefined ? null : { href, as: pathname === href ? 'page' : 'true' };
}

function hrefOf({ slug }: CategoryRef): string {
  return pathTo('blog-category', { category: slug });
}

interface CategoriesProps {
  categories: readonly CategoryRef[];
}

export function CategoryLinks({ categories }: CategoriesProps) {
  const current = currentCategory(categories, useLocation().pathname);
  const links = [
    { id: 'all', name: 'All articles', href: pathTo('blog', {}) },
    ...categories.map(category => ({ id: category.id, name: category.name, href: hrefOf(category) })),
  ];
  return (
    <ul className={styles.list}>
      {links.map(({ id, name, href }) => (
        <li key={id}>
          <Link
            href={href}
            className={styles.link}
            aria-current={href === current?.href ? current.as : undefined}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The blog's categories in one line, which scrolls sideways where it does not fit. */
export function CategoryNavigation({ categories }: CategoriesProps) {
  if (categories.length === 0) return null;
  return (
    <ShellPartElement
      part="categories"
      as="nav"
      aria-label="Categories"
      className={styles.root}
      data-scroll-area=""
    >
      <CategoryLinks categories={categories} />
    </ShellPartElement>
  );
}
