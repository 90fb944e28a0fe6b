import { ArchiveMonths } from '../blocks/archive-months.tsx';
import { ArticleListPage } from '../blocks/article-list-page.tsx';
import { PageIntro } from '../blocks/page-intro.tsx';
import { useLabels } from '../labels/labels-context.ts';
import type { BlogArchivePeriodData } from '../payload/payload.ts';
import styles from './blog-archive-period-page.module.css';

/** The articles of a year or of one of its months, twelve per page, and the months of the year. */
export default function BlogArchivePeriodPage({ data }: { data: BlogArchivePeriodData }) {
  const labels = useLabels();
  const { h1, path, months, list, breadcrumbs } = data;
  return (
    <div className="el-frame">
      <PageIntro title={h1} breadcrumbs={breadcrumbs} />
      <nav aria-label={labels.text('months')} className={styles.months}>
        <ArchiveMonths months={months} current={path} />
      </nav>
      <ArticleListPage list={list} path={path} />
    </div>
  );
}
