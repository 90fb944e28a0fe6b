import { CountText } from '../../../shared/labels/count-text.tsx';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Avatar } from '../../../shared/ui/avatar.tsx';
import { DateText } from '../../../shared/ui/date-text.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { AuthorName } from '../../parts/articles/author-name.tsx';
import type { BlogArticleData } from './blog-article.route.ts';
import styles from './byline.module.css';

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
