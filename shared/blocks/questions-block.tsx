import type { Question } from '../content/links.ts';
import { useLabels } from '../labels/labels-context.ts';
import { Accordion } from '../ui/accordion.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import styles from './questions-block.module.css';

/** The questions of a page, an article or a category. */
export function QuestionsBlock({ questions }: { questions: readonly Question[] }) {
  const labels = useLabels();
  if (questions.length === 0) return null;
  return (
    <ServedElement as="section" source={questions} className={styles.root} aria-labelledby="questions-title">
      <h2 id="questions-title" className={styles.title}>
        {labels.text('questions')}
      </h2>
      <Accordion
        items={questions.map(item => ({
          title: item.question,
          content: <RichText content={item.answer} partOf={item.question} />,
        }))}
      />
    </ServedElement>
  );
}
