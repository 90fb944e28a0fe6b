import type { ReactNode } from 'react';
import { Picture } from '../../shared/ui/picture.tsx';
import { RichText } from '../../shared/ui/rich-text/rich-text.tsx';
import styles from './entry-article.module.css';
import type { EntryPageData } from './entry-data.ts';
import { PageIntro } from './page-intro.tsx';
import { QuestionsBlock } from './questions-block.tsx';
import { Sections } from './sections.tsx';

/** The page of an entry. @param children further fields, shown below the heading and the description. */
export function EntryArticle({ data, children }: { data: EntryPageData; children?: ReactNode }) {
  const { entry, breadcrumbs } = data;
  return (
    <article className="el-frame">
      <div className={entry.cover ? styles.opening : undefined}>
        <PageIntro title={entry.h1 ?? entry.title} text={entry.description} breadcrumbs={breadcrumbs}>
          {children}
        </PageIntro>
        {entry.cover ? (
          <Picture
            image={entry.cover}
            sizes="(width >= 60rem) 36rem, 92vw"
            priority
            className={styles.cover}
          />
        ) : null}
      </div>
      <div className={styles.text}>{entry.body.length > 0 ? <RichText content={entry.body} /> : null}</div>
      <Sections of={data} />
      <div className={styles.text}>
        <QuestionsBlock questions={entry.questions} />
      </div>
    </article>
  );
}
