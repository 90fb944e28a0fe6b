import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import styles from './article-neighbours.module.css';
import type { BlogArticleData } from './blog-article.route.ts';

export function ArticleNeighbours({ data }: { data: BlogArticleData }) {
  const labels = useLabels();
  const { newer, older, article } = data;
  if (!newer && !older) return null;
  return (
    <ServedElement as="nav" source={data} className={styles.root} aria-label={article.category.name}>
      {newer ? (
        <Link href={newer.href} rel="next" className={styles.link}>
          <span className={styles.step}>
            <Icon name="arrow" className={styles.back} />
            {labels.text('newer')}
          </span>
          <span dir="auto">{newer.title}</span>
        </Link>
      ) : null}
      {older ? (
        <Link href={older.href} rel="prev" className={`${styles.link} ${styles.older}`}>
          <span className={styles.step}>
            {labels.text('older')}
            <Icon name="arrow" />
          </span>
          <span dir="auto">{older.title}</span>
        </Link>
      ) : null}
    </ServedElement>
  );
}
