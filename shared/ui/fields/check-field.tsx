import { use } from 'react';
import type { RichText } from '../../content/rich-text.ts';
import { sentenceText } from '../../content/sentence-text.ts';
import { ServedElement } from '../rendering/served-element.tsx';
import { RichNodesContext } from '../rich-text/rich-text.tsx';
import styles from './form-field.module.css';

interface CheckFieldProps {
  id: string;
  name: string;
  /** The sentence as inline elements. Its text is the posted value. */
  sentence: RichText;
  error: string | undefined;
  defaultChecked: boolean;
}

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
