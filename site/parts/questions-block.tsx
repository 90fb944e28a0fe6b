import type { Question } from '../../shared/content/rich-text.ts';
import { useLabels } from '../../shared/labels/labels-context.ts';
import { Accordion } from '../../shared/ui/accordion.tsx';
import { ServedElement } from '../../shared/ui/rendering/served-element.tsx';
import { RichText } from '../../shared/ui/rich-text/rich-text.tsx';
import styles from './questions-block.module.css';
// Bundle these modules here, because the same pages use them: separate chunks would cost requests.
import './sections.tsx';
import './text-frame.tsx';

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
