import { ArticleListPage } from '../blocks/article-list-page.tsx';
import { FeedLink } from '../blocks/feed-link.tsx';
import { PageIntro } from '../blocks/page-intro.tsx';
import type { BlogAuthorData } from '../payload/payload.ts';
import { pathTo } from '../routing/routes.ts';
import { Picture } from '../ui/picture.tsx';
import styles from './blog-author-page.module.css';

/** An author with portrait, position and description, and the author's articles, twelve per page. */
export default function BlogAuthorPage({ data }: { data: BlogAuthorData }) {
  const { author, list, breadcrumbs, feed } = data;
  const { name, position, description, image } = author;
  return (
    <div className="el-frame">
      <div className={styles.root}>
        {image ? (
          <Picture image={image} sizes="(width >= 48rem) 10rem, 6rem" className={styles.portrait} />
        ) : null}
        <PageIntro title={name} text={position} breadcrumbs={breadcrumbs}>
          {description ? (
            <p className={styles.description} dir="auto">
              {description}
            </p>
          ) : null}
          <FeedLink feed={feed} />
        </PageIntro>
      </div>
      <ArticleListPage list={list} path={pathTo('blog-author', { slug: author.slug })} />
    </div>
  );
}
