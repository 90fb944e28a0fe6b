import { ArticleCard } from '../blocks/article-card.tsx';
import { ArticleGrid } from '../blocks/article-grid.tsx';
import { EmptyNote } from '../blocks/empty-note.tsx';
import { FeedLink } from '../blocks/feed-link.tsx';
import { PageIntro } from '../blocks/page-intro.tsx';
import { QuestionsBlock } from '../blocks/questions-block.tsx';
import { useLabels } from '../labels/labels-context.ts';
import type { BlogIndexData } from '../payload/payload.ts';
import { pathTo } from '../routing/routes.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './blog-index-page.module.css';

/** The blog's start page: the newest article, then the newest articles of each category. */
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
    </div>
  );
}
