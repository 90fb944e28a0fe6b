import type { ReactNode, Ref } from 'react';
import type { FormState } from '../../../shared/forms/form-state.ts';
import type { PageText } from '../../../shared/labels/labels.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import styles from './form-notice.module.css';

interface FormNoticeProps {
  status: FormState['status'] | 'idle' | 'pending';
  message: ReactNode;
  errors: Readonly<Record<string, string>>;
  /** The form's fields, in the order in which their errors are listed. */
  fields: readonly PageText[];
  idPrefix: string;
  thanks: string;
  ref: Ref<HTMLDivElement>;
}

const TRAP = ['website', 'trap'] as const;

/** The result of a form. The notice gets the focus and links to each field with an error. */
export function FormNotice({ status, message, errors, fields, idPrefix, thanks, ref }: FormNoticeProps) {
  const labels = useLabels();
  if (status === 'idle' || status === 'pending') return null;
  const listed = [...fields.map(name => [name, name] as const), TRAP].filter(
    ([name]) => errors[name] !== undefined,
  );
  return (
    <div
      ref={ref}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without a script nothing else moves the focus; the thanks are reached by the hash
      autoFocus={status !== 'sent'}
      role="status"
      className={`${styles.root} is-${status}`}
    >
      {status === 'sent' ? (
        <p className={styles.thanks}>
          <Icon name="check" className={styles.check} />
          {message ?? thanks}
        </p>
      ) : (
        <>
          <p className={styles.message}>
            {message ?? labels.text(status === 'invalid' ? 'checkTyped' : 'notSent')}
          </p>
          {listed.length > 0 ? (
            <ul className={styles.list}>
              {listed.map(([name, label]) => (
                <li key={name}>
                  <a href={`#${idPrefix}-${name}`}>
                    {labels.text(label)}: {errors[name]}
                  </a>
                </li>
              ))}
            </ul>
          ) : null}
        </>
      )}
    </div>
  );
}
