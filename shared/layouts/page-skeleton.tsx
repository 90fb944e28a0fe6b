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

/** Title, standfirst, and six cards, or a picture and lines of text: the stylesheet knows which is what. */
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Stands in for a page that is on its way. It lies over the page that is still there: its stylesheet hides that one, which
 * keeps its height, its scroll position and what was typed in its forms, and can come back as it was.
 *
 * @param path the address of the page to come: what it will roughly look like follows from its route.
 */
export function PageSkeleton({ path }: { path: string }) {
  const look = LOOKS[matchRoute(routeTable, path)?.route.id ?? 'page'] ?? '';
  return (
    <div className={styles.root}>
      <div className={`el-frame ${styles.page} ${look}`}>
        <h1 className="el-visually-hidden">Loading…</h1>
        {PARTS.map(part => (
          <span key={part} />
        ))}
      </div>
    </div>
  );
}
