import { useLabels } from '../labels/labels-context.ts';
import type { HomeData } from '../payload/payload.ts';
import { Accordion } from '../ui/accordion.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './faq-block.module.css';

/** Questions and answers, with an editor's text beside them. */
export function FaqBlock({ faq }: { faq: NonNullable<HomeData['faq']> }) {
  const labels = useLabels();
  const { title, items, content } = faq;
  if (items.length === 0 && content.length === 0) return null;
  const shownTitle = title ?? labels.text('questions');
  return (
    <ServedElement as="section" source={faq} id="faq" className="el-section" aria-labelledby="faq-title">
      <div className={`el-frame ${styles.root}`}>
        <div className={styles.intro}>
          <h2 id="faq-title" className={styles.title}>
            {shownTitle}
          </h2>
          {content.length > 0 ? (
            <RichText content={content} partOf={shownTitle} className={styles.text} />
          ) : null}
        </div>
        {items.length > 0 ? (
          <Accordion
            items={items.map(item => ({
              title: item.question,
              content: <RichText content={item.answer} partOf={item.question} />,
            }))}
          />
        ) : null}
      </div>
    </ServedElement>
  );
}
