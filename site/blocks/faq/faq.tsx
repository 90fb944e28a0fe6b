import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Accordion } from '../../../shared/ui/accordion.tsx';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { RichText } from '../../../shared/ui/rich-text/rich-text.tsx';
import type { faq } from './faq.block.ts';
import styles from './faq.module.css';

export default function Faq({ data, id = 'faq' }: BlockProps<BlockData<typeof faq>>) {
  const labels = useLabels();
  const { title, picture, items, content } = data;
  const shownTitle = title ?? labels.text('questions');
  return (
    <ServedElement as="section" source={data} id={id} className="el-section" aria-labelledby={`${id}-title`}>
      <div className={`el-frame ${styles.root}`}>
        <div className={styles.intro}>
          <h2 id={`${id}-title`} className={styles.title}>
            {shownTitle}
          </h2>
          {content.length > 0 ? (
            <RichText content={content} partOf={shownTitle} className={styles.text} />
          ) : null}
          {picture ? (
            <img src={picture} alt="" loading="lazy" className={`el-no-print ${styles.picture}`} />
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
