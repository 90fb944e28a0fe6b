import { CountText } from '../labels/count-text.tsx';
import { useLabels } from '../labels/labels-context.ts';
import type { BlogArticleData } from '../payload/payload.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DateText } from '../ui/date-text.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import { AuthorName } from './author-name.tsx';
import styles from './byline.module.css';

/** The author of an article, its dates, and its reading time. */
export function Byline({ article }: { article: BlogArticleData['article'] }) {
  const labels = useLabels();
  const { author, date, updatedAt, readingMinutes } = article;
  const wasUpdated = updatedAt !== null && updatedAt.slice(0, 10) > date.slice(0, 10);
  return (
    <ServedElement as="div" source={article} className={styles.root}>
      {author ? (
        <div className={styles.author}>
          <Avatar name={author.name} image={author.image} />
          <p>
            <AuthorName author={author} className={styles.name} />
            {author.position ? <span className={styles.position}>{author.position}</span> : null}
          </p>
        </div>
      ) : null}
      <ul className={styles.facts}>
        <li>
          <DateText date={date} />
        </li>
        {wasUpdated ? (
          <li>
            {labels.text('updated')} <DateText date={updatedAt} />
          </li>
        ) : null}
        <li>
          <CountText name="readingTime" count={readingMinutes} />
        </li>
      </ul>
    </ServedElement>
  );
}
