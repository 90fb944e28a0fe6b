import { useLabels } from '../../shared/labels/labels-context.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { routeTable } from '../../shared/routing/routes.ts';
import styles from './page-skeleton.module.css';

/** The parts: a title, an introduction, and six cards or a picture with lines of text. */
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Hides the old page without removing it: height, scroll position and form fields stay. */
export function PageSkeleton({ path }: { path: string }) {
  const labels = useLabels();
  const { skeleton } = matchRoute(routeTable, path)?.route ?? {};
  const look = (skeleton && styles[skeleton]) ?? '';
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
