import { ArticleGrid } from '../blocks/article-grid.tsx';
import { ArticleNeighbours } from '../blocks/article-neighbours.tsx';
import { AuthorName } from '../blocks/author-name.tsx';
import { Byline } from '../blocks/byline.tsx';
import { PageIntro } from '../blocks/page-intro.tsx';
import { QuestionsBlock } from '../blocks/questions-block.tsx';
import { ShareLinks } from '../blocks/share-links.tsx';
import { TableOfContents } from '../blocks/table-of-contents.tsx';
import { TagLinks } from '../blocks/tag-links.tsx';
import { useLabels } from '../labels/labels-context.ts';
import type { BlogArticleData } from '../payload/payload.ts';
import { Picture } from '../ui/picture.tsx';
import { ReadingProgress } from '../ui/reading-progress.tsx';
import { RichText } from '../ui/rich-text.tsx';
import styles from './blog-article-page.module.css';

/** An article: one column of text with the table of contents beside it. */
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
          <Picture image={cover} sizes="(width >= 77rem) 77rem, 92vw" priority className={styles.cover} />
        ) : null}
        {headings.length > 1 ? (
          <div className={styles.contents}>
            <TableOfContents headings={headings} />
          </div>
        ) : null}
        <div className={styles.body}>
          <RichText content={body} />
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
