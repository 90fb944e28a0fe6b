import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';
import { useLabels } from '../../labels/labels-context.ts';
import styles from './form-field.module.css';

type Control =
  | ({ rows?: undefined } & InputHTMLAttributes<HTMLInputElement>)
  | ({ rows: number } & TextareaHTMLAttributes<HTMLTextAreaElement>);

type FormFieldProps = Control & {
  id: string;
  name: string;
  label: ReactNode;
  error: string | undefined;
  options?: readonly string[] | null;
};

/**
 * Attributes for the keyboard and suggestions of `type="email"`. Without JavaScript, that type refuses
 * addresses in other scripts and, in some browsers, internationalised domains.
 */
export const EMAIL_FIELD = {
  type: 'text',
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
  required: true,
} as const;

export function FormField({ label, error, options, ...control }: FormFieldProps) {
  const labels = useLabels();
  // The casts are safe: a text field has all attributes that the three elements share here.
  const Control = (control.rows ? 'textarea' : options ? 'select' : 'input') as 'input';
  const attributes = control as InputHTMLAttributes<HTMLInputElement>;
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
      <Control {...attributes} {...described} className={styles.control}>
        {options?.map(option => (
          <option key={option}>{option}</option>
        ))}
      </Control>
      {error ? (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
