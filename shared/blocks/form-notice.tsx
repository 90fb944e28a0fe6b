import type { Ref } from 'react';
import { TRAP_LABEL } from '../forms/form-labels.ts';
import type { FormState } from '../forms/form-state.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './form-notice.module.css';

interface FormNoticeProps {
  status: FormState['status'] | 'idle' | 'pending';
  message: string | null;
  errors: Readonly<Record<string, string>>;
  /** The labels of the form's fields, by name. A field without a label is not listed. */
  labels: Readonly<Record<string, string>>;
  /** The prefix of the ids of the form's fields. */
  idPrefix: string;
  thanks: string;
  ref: Ref<HTMLDivElement>;
}

const SUMMARY = 'Please check what you typed.';
const FAILED = 'Your message could not be sent. Nothing you typed is lost: please try again in a moment.';

/** The result of sending a form. The notice gets the focus and links to each field with an error. */
export function FormNotice({ status, message, errors, labels, idPrefix, thanks, ref }: FormNoticeProps) {
  if (status === 'idle' || status === 'pending') return null;
  const listed = Object.entries({ ...labels, website: TRAP_LABEL }).filter(
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
          <p className={styles.message}>{message ?? (status === 'invalid' ? SUMMARY : FAILED)}</p>
          {listed.length > 0 ? (
            <ul className={styles.list}>
              {listed.map(([name, label]) => (
                <li key={name}>
                  <a href={`#${idPrefix}-${name}`}>
                    {label}: {errors[name]}
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
