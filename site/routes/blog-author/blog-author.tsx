import type { Author } from '../../../shared/content/blog.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { Picture } from '../../../shared/ui/picture.tsx';
import { ArticleListPage } from '../../parts/articles/article-list-page.tsx';
import { FeedLink } from '../../parts/articles/feed-link.tsx';
import type { ArticleGroupData } from '../../parts/entry-data.ts';
import { OfferBand } from '../../parts/offer.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import styles from './blog-author.module.css';

export default function BlogAuthorPage({ data }: { data: ArticleGroupData<Author> }) {
  const { entry: author, list, breadcrumbs, feed } = data;
  const { name, position, description, image } = author;
  return (
    <div className="el-frame">
      <div className={styles.root}>
        {image ? (
          <Picture image={image} sizes="(width >= 48rem) 10rem, 6rem" className={styles.portrait} />
        ) : null}
        <PageIntro title={name} text={position} breadcrumbs={breadcrumbs}>
          {contentText(description, styles.description)}
          <FeedLink feed={feed} />
        </PageIntro>
      </div>
      <ArticleListPage list={list} path={pathTo('blog-author', { slug: author.slug })} />
      <OfferBand />
    </div>
  );
}
