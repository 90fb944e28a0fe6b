import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Picture } from '../../../shared/ui/picture.tsx';
import { ReadingProgress } from '../../../shared/ui/reading-progress.tsx';
import { ArticleGrid } from '../../parts/articles/article-grid.tsx';
import { AuthorName } from '../../parts/articles/author-name.tsx';
import { OfferBand } from '../../parts/offer.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import { QuestionsBlock } from '../../parts/questions-block.tsx';
import { loadParts, Sections } from '../../parts/sections.tsx';
import { TextFrame } from '../../parts/text-frame.tsx';
import { ArticleNeighbours } from './article-neighbours.tsx';
import styles from './blog-article.module.css';
import type { BlogArticleData } from './blog-article.route.ts';
import { Byline } from './byline.tsx';
import { ShareLinks } from './share-links.tsx';
import { TagLinks } from './tag-links.tsx';

export { loadParts };

export default function BlogArticlePage({ data }: { data: BlogArticleData }) {
  const labels = useLabels();
  const { article, related, questions, cta, breadcrumbs } = data;
  const { title, h1, description, author, cover, headings, body, tags } = article;
  return (
    <>
      <ReadingProgress />
      <TextFrame
        intro={
          <PageIntro title={h1 ?? title} text={description} breadcrumbs={breadcrumbs}>
            <Byline article={article} />
          </PageIntro>
        }
        cover={
          cover && (
            <Picture image={cover} sizes="(width >= 64rem) 25rem, 92vw" priority className={styles.cover} />
          )
        }
        headings={headings}
        body={body}
      >
        <Sections of={data} />
        <div className={styles.after}>
          <div className={styles.end}>
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
          </div>
          <QuestionsBlock questions={questions} />
          <OfferBand own={cta} />
        </div>
      </TextFrame>
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
