import { useLabels } from '../../../shared/labels/labels-context.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { ButtonLink } from '../../../shared/ui/button.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { ArticleCard } from '../../parts/articles/article-card.tsx';
import { ArticleGrid } from '../../parts/articles/article-grid.tsx';
import { FeedLink } from '../../parts/articles/feed-link.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { OfferBand } from '../../parts/offer.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import { QuestionsBlock } from '../../parts/questions-block.tsx';
import styles from './blog.module.css';
import type { BlogIndexData } from './blog.route.ts';

export default function BlogIndexPage({ data }: { data: BlogIndexData }) {
  const labels = useLabels();
  const { h1, description, lead, sections, questions, feed } = data;
  return (
    <div className="el-frame">
      <PageIntro title={h1} text={description}>
        <FeedLink feed={feed} />
      </PageIntro>
      {lead ? (
        <ServedElement as="div" source={lead} className={styles.lead}>
          <ArticleCard article={lead} lead heading="h2" />
        </ServedElement>
      ) : null}
      {lead === null && sections.length === 0 ? (
        <EmptyNote text={labels.text('noArticles')} href="/" link={labels.text('backToStart')} />
      ) : null}
      {sections.map(({ category, articles }, index) => (
        <section key={category.id} className={styles.section} aria-labelledby={`category-${index}`}>
          <div className={styles.head}>
            <h2 id={`category-${index}`} className={styles.title}>
              {category.name}
            </h2>
            <Link
              href={pathTo('blog-category', { category: category.slug })}
              className={styles.all}
              aria-label={labels.text('allInCategoryOf', { category: category.name })}
            >
              {labels.text('allInCategory')}
              <Icon name="arrow" />
            </Link>
          </div>
          <ArticleGrid articles={articles} showCategory={false} />
        </section>
      ))}
      {lead ? (
        <p className={styles.archive}>
          <ButtonLink href={pathTo('blog-archive', {})} look="outline">
            {labels.text('archive')}
          </ButtonLink>
        </p>
      ) : null}
      <QuestionsBlock questions={questions} />
      <OfferBand />
    </div>
  );
}
