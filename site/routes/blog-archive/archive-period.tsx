import { useLabels } from '../../../shared/labels/labels-context.ts';
import { ArticleListPage } from '../../parts/articles/article-list-page.tsx';
import { OfferBand } from '../../parts/offer.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import type { BlogArchivePeriodData } from './archive.ts';
import { ArchiveMonths } from './archive-months.tsx';
import styles from './archive-period.module.css';

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
      <OfferBand />
    </div>
  );
}
