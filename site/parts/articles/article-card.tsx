import type { ShownArticle } from '../../../shared/content/blog.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { DateText } from '../../../shared/ui/date-text.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import { Picture } from '../../../shared/ui/picture.tsx';
import styles from './article-card.module.css';
import { AuthorName } from './author-name.tsx';

interface ArticleCardProps {
  article: ShownArticle;
  lead?: boolean;
  /** Whether the card's picture is the largest above the fold. */
  first?: boolean;
  heading?: 'h2' | 'h3';
  showCategory?: boolean;
}

const SIZES = '(width >= 64rem) 24rem, (width >= 40rem) 45vw, 6.5rem';
const LEAD_SIZES = '(width >= 60rem) 44rem, 92vw';

/** A card that is a link as a whole. The author's name is a link of its own, stacked on top of it. */
export function ArticleCard({
  article,
  lead = false,
  first = lead,
  heading: Heading = 'h3',
  showCategory = true,
}: ArticleCardProps) {
  const { title, description, slug, category, author, cover, date } = article;
  return (
    <article className={`${styles.root} ${lead ? styles.lead : ''}`}>
      <div className={styles.media}>
        {cover ? (
          <Picture
            image={cover}
            alt=""
            sizes={lead ? LEAD_SIZES : SIZES}
            priority={first}
            className={styles.picture}
          />
        ) : (
          <span className={styles.blank} aria-hidden="true">
            {category.name}
          </span>
        )}
      </div>
      <div className={styles.body}>
        <p className={styles.meta}>
          {showCategory ? <span className={styles.category}>{category.name}</span> : null}
          <DateText date={date} />
        </p>
        <Heading className={styles.title} dir="auto">
          <Link
            href={pathTo('blog-article', { category: category.slug, slug })}
            className={`el-covering ${styles.link}`}
          >
            {title}
          </Link>
        </Heading>
        {contentText(description, styles.description)}
        {author && lead ? (
          <p className={styles.meta}>
            <AuthorName author={author} className={styles.author} />
          </p>
        ) : null}
      </div>
    </article>
  );
}
