import { ArchiveMonths } from '../blocks/archive-months.tsx';
import { EmptyNote } from '../blocks/empty-note.tsx';
import { PageIntro } from '../blocks/page-intro.tsx';
import { useLabels } from '../labels/labels-context.ts';
import type { BlogArchiveData } from '../payload/payload.ts';
import { pathTo } from '../routing/routes.ts';
import { Link } from '../ui/link.tsx';
import styles from './blog-archive-page.module.css';

/** The years with articles, and the months of each. */
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
    </div>
  );
}
