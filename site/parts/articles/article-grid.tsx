import type { ShownArticle } from '../../../shared/content/blog.ts';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { ArticleCard } from './article-card.tsx';
import styles from './article-grid.module.css';

interface ArticleGridProps {
  articles: readonly ShownArticle[];
  heading?: 'h2' | 'h3';
  showCategory?: boolean;
  /** Whether the page begins with this grid. */
  opensPage?: boolean;
}

export function ArticleGrid({
  articles,
  heading = 'h3',
  showCategory = true,
  opensPage = false,
}: ArticleGridProps) {
  return (
    <ServedElement as="ul" source={articles} className={styles.root}>
      {articles.map((article, index) => (
        <li key={article.id}>
          <ArticleCard
            article={article}
            first={opensPage && index === 0}
            heading={heading}
            showCategory={showCategory}
          />
        </li>
      ))}
    </ServedElement>
  );
}
