import { use } from 'react';
import type { RichText } from '../content/rich-text.ts';
import { sentenceText } from '../content/sentence-text.ts';
import styles from './form-field.module.css';
import { RichNodesContext } from './rich-text.tsx';
import { ServedElement } from './served-element.tsx';

interface CheckFieldProps {
  /** Unique on the page: the error refers to it. */
  id: string;
  name: string;
  /** The sentence beside the box, without blocks. Its text is the value that is posted. */
  sentence: RichText;
  error: string | undefined;
  defaultChecked: boolean;
}

/** A checkbox that has to be checked, with a sentence of the content. */
export function CheckField({ id, name, sentence, error, defaultChecked }: CheckFieldProps) {
  const Nodes = use(RichNodesContext);
  const errorId = `${id}-error`;
  const described = error ? ({ 'aria-invalid': true, 'aria-describedby': errorId } as const) : {};
  return (
    <div className={styles.root}>
      <label className={styles.check}>
        <input
          id={id}
          type="checkbox"
          name={name}
          value={sentenceText(sentence)}
          defaultChecked={defaultChecked}
          required
          {...described}
        />
        <ServedElement as="span" source={sentence} dir="auto">
          <Nodes content={sentence} partOf={undefined} />
        </ServedElement>
      </label>
      {error ? (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
