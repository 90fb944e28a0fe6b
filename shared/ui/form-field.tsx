import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { useLabels } from '../labels/labels-context.ts';
import styles from './form-field.module.css';

type Control =
  | ({ rows?: undefined } & InputHTMLAttributes<HTMLInputElement>)
  | ({ rows: number } & TextareaHTMLAttributes<HTMLTextAreaElement>);

type FormFieldProps = Control & {
  /** Unique on the page: the label and the error refer to it. */
  id: string;
  name: string;
  label: string;
  error: string | undefined;
};

/**
 * Attributes of a field for an e-mail address. Without JavaScript, `type="email"` refuses addresses in non-Latin scripts,
 * and some browsers refuse internationalised domains. The attributes keep only the keyboard and the suggestions of that type.
 */
export const EMAIL_FIELD = {
  type: 'text',
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
  required: true,
} as const;

/** A labelled text field with its error. `rows` makes it a text area. Without `required` the label says that it is optional. */
export function FormField({ label, error, ...control }: FormFieldProps) {
  const labels = useLabels();
  const errorId = `${control.id}-error`;
  const described = error ? ({ 'aria-invalid': true, 'aria-describedby': errorId } as const) : {};
  return (
    <div className={styles.root}>
      <label htmlFor={control.id} className={styles.label}>
        {label}
        {control.required !== undefined ? null : (
          <span className={styles.optional}> {labels.text('optional')}</span>
        )}
      </label>
      {control.rows === undefined ? (
        <input {...control} {...described} className={styles.control} />
      ) : (
        <textarea {...control} {...described} className={styles.control} />
      )}
      {error ? (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
