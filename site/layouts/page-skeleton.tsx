import { useLabels } from '../../shared/labels/labels-context.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { type RouteId, routeTable } from '../../shared/routing/routes.ts';
import styles from './page-skeleton.module.css';

const LOOKS: Partial<Record<RouteId, string | undefined>> = {
  blog: styles.cards,
  'blog-category': styles.cards,
  'blog-article': styles.article,
  'business-solution': styles.article,
  commerce: styles.article,
};

/** A title, an introduction, and six cards or a picture and lines of text. */
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Hides the old page without removing it: height, scroll position and form fields stay. */
export function PageSkeleton({ path }: { path: string }) {
  const labels = useLabels();
  const look = LOOKS[matchRoute(routeTable, path)?.route.id ?? 'page'] ?? '';
  return (
    <div className={styles.root}>
      <div className={`el-frame ${styles.page} ${look}`}>
        <h1 className="el-visually-hidden">{labels.text('loading')}</h1>
        {PARTS.map(part => (
          <span key={part} />
        ))}
      </div>
    </div>
  );
}
