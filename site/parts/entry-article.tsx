import type { ReactNode } from 'react';
import { useLabels } from '../../shared/labels/labels-context.ts';
import { Picture } from '../../shared/ui/picture.tsx';
import styles from './entry-article.module.css';
import type { EntryPageData } from './entry-data.ts';
import { EntryList } from './entry-list.tsx';
import { Facts } from './facts.tsx';
import { OfferBand, OfferButton } from './offer.tsx';
import { PageIntro } from './page-intro.tsx';
import { QuestionsBlock } from './questions-block.tsx';
import { Sections } from './sections.tsx';
import { TextFrame } from './text-frame.tsx';

/** @param children further fields, shown below the heading and the description. */
export function EntryArticle({ data, children }: { data: EntryPageData; children?: ReactNode }) {
  const labels = useLabels();
  const { entry, headings, related, contacts, breadcrumbs } = data;
  const [above] = breadcrumbs;
  return (
    <TextFrame
      intro={
        <PageIntro title={entry.h1 ?? entry.title} text={entry.description} breadcrumbs={breadcrumbs}>
          {children}
          <OfferButton own={entry.cta} />
        </PageIntro>
      }
      cover={
        entry.cover && (
          <Picture
            image={entry.cover}
            sizes="(width >= 64rem) 25rem, 92vw"
            priority
            className={styles.cover}
          />
        )
      }
      headings={headings}
      body={entry.body}
      lead={entry.facts.length > 0 && <Facts facts={entry.facts} />}
    >
      <Sections of={data} />
      <QuestionsBlock questions={entry.questions} />
      <OfferBand own={entry.cta} />
      {related ? (
        <section className={styles.related} aria-labelledby="related-title">
          <h2 id="related-title" dir="auto">
            {above?.href ? above.title : labels.text('readOn')}
          </h2>
          <EntryList entries={related} heading="h3" />
        </section>
      ) : null}
      <Sections of={contacts} />
    </TextFrame>
  );
}
