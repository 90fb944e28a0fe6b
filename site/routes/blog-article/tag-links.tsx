import type { TagRef } from '../../../shared/content/blog.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { Link } from '../../../shared/ui/link.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import styles from './tag-links.module.css';

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
