import type { TagRef } from '../content/blog.ts';
import { useLabels } from '../labels/labels-context.ts';
import { pathTo } from '../routing/routes.ts';
import { Link } from '../ui/link.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './tag-links.module.css';

/** Links to the pages of an article's tags. */
export function TagLinks({ tags }: { tags: readonly TagRef[] }) {
  const labels = useLabels();
  if (tags.length === 0) return null;
  return (
    <ServedElement as="ul" source={tags} className={styles.root} aria-label={labels.text('tags')}>
      {tags.map(({ name, slug }) => (
        <li key={slug}>
          <Link href={pathTo('blog-tag', { slug })} className={styles.link}>
            {name}
          </Link>
        </li>
      ))}
    </ServedElement>
  );
}
