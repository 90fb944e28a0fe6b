import { useLabels } from '../labels/labels-context.ts';
import { matchRoute } from '../routing/match-route.ts';
import { type RouteId, routeTable } from '../routing/routes.ts';
import styles from './page-skeleton.module.css';

const LOOKS: Partial<Record<RouteId, string | undefined>> = {
  blog: styles.cards,
  'blog-category': styles.cards,
  'blog-article': styles.article,
  'business-solution': styles.article,
  commerce: styles.article,
};

/** Placeholders for a title, an introduction, and six cards or a picture and lines of text. The stylesheet shapes them. */
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Placeholder for a page that is still loading. Its stylesheet hides the old page without removing it: the old page keeps
 * its height, its scroll position and its form fields, and is shown again if the navigation ends without a page.
 *
 * @param path the address of the new page. Its route decides the rough shape.
 */
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
