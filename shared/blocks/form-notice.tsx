import type { Ref } from 'react';
import { TRAP_LABEL } from '../forms/form-labels.ts';
import type { FormState } from '../forms/form-state.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './form-notice.module.css';

interface FormNoticeProps {
  status: FormState['status'] | 'idle' | 'pending';
  message: string | null;
  errors: Readonly<Record<string, string>>;
  /** Names of the fields as the form labels them; the others are not listed. */
  labels: Readonly<Record<string, string>>;
  /** What the ids of the form's fields begin with. */
  idPrefix: string;
  thanks: string;
  ref: Ref<HTMLDivElement>;
}

const SUMMARY = 'Please check what you typed.';
const FAILED = 'Your message could not be sent. Nothing you typed is lost: please try again in a moment.';

/** What became of a form. It takes the focus, and names each field that needs another look. */
export function FormNotice({ status, message, errors, labels, idPrefix, thanks, ref }: FormNoticeProps) {
  if (status === 'idle' || status === 'pending') return null;
  const listed = Object.entries({ ...labels, website: TRAP_LABEL }).filter(
    ([name]) => errors[name] !== undefined,
  );
  return (
    <div
      ref={ref}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: where no script can move the focus; the thanks are found by the hash instead
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
