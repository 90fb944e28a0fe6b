import { useLabels } from '../../../shared/labels/labels-context.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { Link } from '../../../shared/ui/link.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { OfferBand } from '../../parts/offer.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import { ArchiveMonths } from './archive-months.tsx';
import styles from './blog-archive.module.css';
import type { BlogArchiveData } from './blog-archive.route.ts';
// Import this module for its chunk, which also has other parts of this page.
import '../../parts/articles/feed-link.tsx';

export default function BlogArchivePage({ data }: { data: BlogArchiveData }) {
  const labels = useLabels();
  const { h1, years, breadcrumbs } = data;
  return (
    <div className="el-frame">
      <PageIntro title={h1} breadcrumbs={breadcrumbs} />
      {years.length === 0 ? (
        <EmptyNote
          text={labels.text('noArticles')}
          href={pathTo('blog', {})}
          link={labels.text('allArticles')}
        />
      ) : null}
      {years.map(({ title, href, count, months }) => (
        <section key={href} className={styles.year}>
          <h2 className={styles.title}>
            <Link href={href} className={styles.link}>
              {title}
            </Link>{' '}
            <span className={styles.count}>{count}</span>
          </h2>
          <ArchiveMonths months={months} />
        </section>
      ))}
      <OfferBand />
    </div>
  );
}
