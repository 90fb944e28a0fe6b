import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Picture } from '../../../shared/ui/picture.tsx';
import { ReadingProgress } from '../../../shared/ui/reading-progress.tsx';
import { RichText } from '../../../shared/ui/rich-text/rich-text.tsx';
import { ArticleGrid } from '../../parts/articles/article-grid.tsx';
import { AuthorName } from '../../parts/articles/author-name.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import { QuestionsBlock } from '../../parts/questions-block.tsx';
import { loadParts, Sections } from '../../parts/sections.tsx';
import { ArticleNeighbours } from './article-neighbours.tsx';
import styles from './blog-article.module.css';
import type { BlogArticleData } from './blog-article.route.ts';
import { Byline } from './byline.tsx';
import { ShareLinks } from './share-links.tsx';
import { TableOfContents } from './table-of-contents.tsx';
import { TagLinks } from './tag-links.tsx';

export { loadParts };

export default function BlogArticlePage({ data }: { data: BlogArticleData }) {
  const labels = useLabels();
  const { article, related, questions, breadcrumbs } = data;
  const { title, h1, description, author, cover, headings, body, tags } = article;
  return (
    <>
      <ReadingProgress />
      <article className={`el-frame ${styles.root}`}>
        <div className={styles.intro}>
          <PageIntro title={h1 ?? title} text={description} breadcrumbs={breadcrumbs}>
            <Byline article={article} />
          </PageIntro>
        </div>
        {cover ? (
          <Picture image={cover} sizes="(width >= 64rem) 25rem, 92vw" priority className={styles.cover} />
        ) : null}
        {headings.length > 1 ? (
          <div className={styles.contents}>
            <TableOfContents headings={headings} />
          </div>
        ) : null}
        <div className={styles.body}>
          <RichText content={body} />
        </div>
        <Sections of={data} />
        <div className={styles.body}>
          {author?.description ? (
            <div className={styles.author}>
              <p>
                <AuthorName author={author} className={styles.name} />
              </p>
              <p dir="auto">{author.description}</p>
            </div>
          ) : null}
          <TagLinks tags={tags} />
          <ShareLinks title={title} />
          <QuestionsBlock questions={questions} />
        </div>
      </article>
      <div className="el-frame el-no-print">
        <ArticleNeighbours data={data} />
      </div>
      {related.length > 0 ? (
        <section
          className={`el-section el-frame el-no-print ${styles.related}`}
          aria-labelledby="related-title"
        >
          <h2 id="related-title" className={styles.title}>
            {labels.text('readOn')}
          </h2>
          <ArticleGrid articles={related} />
        </section>
      ) : null}
    </>
  );
}
