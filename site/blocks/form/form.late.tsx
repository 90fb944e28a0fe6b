import { use } from 'react';
import type { BlockProps } from '../../../shared/content/landing.ts';
import { type FormState, FormStateContext } from '../../../shared/forms/form-state.ts';
import { type FormInput, labelOf, type ShownForm } from '../../../shared/forms/page-form.ts';
import { useEmailForm } from '../../../shared/forms/use-email-form.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { contentText } from '../../../shared/ui/content-text.tsx';
import { EMAIL_FIELD, FormField } from '../../../shared/ui/fields/form-field.tsx';
import { FormExtras } from '../../parts/forms/form-extras.tsx';
import { FormNotice } from '../../parts/forms/form-notice.tsx';
import { TitledSection } from '../../parts/titled-section.tsx';
import styles, { stylesheet } from './form.late.module.css';

export { stylesheet };

const { required: _, ...EMAIL } = EMAIL_FIELD;
/** The attributes of text fields by kind. A browser checks none of them, as in the other forms. */
const ATTRIBUTES = {
  text: {},
  'long-text': { rows: 5 },
  email: EMAIL,
  telephone: { type: 'tel', autoComplete: 'tel' },
  choice: {},
} as const;

export default function FormBlock({ data, id = 'form' }: BlockProps<ShownForm>) {
  const posted = use(FormStateContext);
  const { form: name, place, title, text } = data;
  // The posted state names the form by its place (`form-1`), as the response's address does: use the name.
  const own = posted?.form === place ? { ...posted, form: name } : null;
  return (
    <TitledSection id={id} title={title} text={text} stylesheet={stylesheet} className={styles.root}>
      <div id={name} className={styles.card}>
        <FormStateContext value={own}>
          <BuiltForm {...data} labelledBy={title ? `${id}-title` : undefined} />
        </FormStateContext>
      </div>
    </TitledSection>
  );
}

function BuiltForm({ form: name, version, inputs, button, thanks, labelledBy }: BuiltFormProps) {
  const labels = useLabels();
  const { status, message, errors, values, noticeRef, formProps } = useEmailForm(name);
  const notice = (
    <FormNotice
      ref={noticeRef}
      status={status}
      message={
        status === 'invalid' ? <Problems of={{ form: name, inputs, message, errors, values }} /> : message
      }
      errors={errors}
      fields={[]}
      idPrefix={name}
      thanks={thanks ?? labels.text('messageSent')}
    />
  );
  if (status === 'sent') return notice;
  const isPending = status === 'pending';
  return (
    <form {...formProps} className={styles.form} aria-labelledby={labelledBy}>
      {notice}
      {inputs.map((input, index) => (
        <Field
          key={input.posted}
          id={`${name}-${index}`}
          of={input}
          error={errors[input.posted]}
          value={values[input.posted]}
          readOnly={isPending}
        />
      ))}
      <input type="hidden" name="version" value={version} />
      <FormExtras form={name} error={errors.website} />
      <Button type="submit" className={styles.submit} aria-disabled={isPending}>
        {isPending ? labels.text('sending') : (button ?? labels.text('sendMessage'))}
      </Button>
    </form>
  );
}

interface BuiltFormProps extends ShownForm {
  labelledBy: string | undefined;
}

interface ProblemsProps {
  of: Pick<ShownForm, 'form' | 'inputs'> & Pick<FormState, 'message' | 'errors' | 'values'>;
}

/** The problems of a sent form, with a link to each field, then texts of fields that no longer exist. */
function Problems({ of: { form: name, inputs, message, errors, values } }: ProblemsProps) {
  const labels = useLabels();
  const leftOver = Object.entries(values).filter(
    ([key, value]) => labelOf(key) !== null && value !== '' && !inputs.some(input => input.posted === key),
  );
  return (
    <>
      {message ?? labels.text('checkTyped')}
      {inputs.map((input, index) =>
        errors[input.posted] === undefined ? null : (
          <a key={input.posted} href={`#${name}-${index}`} className={styles.problem}>
            {input.label}: {errors[input.posted]}
          </a>
        ),
      )}
      {leftOver.map(([key, value]) => (
        <span key={key} className={styles.problem}>
          {labelOf(key)}: {value}
        </span>
      ))}
    </>
  );
}

interface FieldProps {
  id: string;
  of: FormInput;
  error: string | undefined;
  value: string | undefined;
  /** Set while the form is being sent, because the message would miss new words. */
  readOnly: boolean;
}

function Field({ id, of, error, value, readOnly }: FieldProps) {
  const labels = useLabels();
  const { posted: name, label, input, isRequired, hint, options } = of;
  const labelled = (
    <>
      <span dir="auto">{label}</span>
      {isRequired ? null : <span className={styles.muted}> {labels.text('optional')}</span>}
      {contentText(hint, styles.hint, 'span')}
    </>
  );
  const common = { id, name, required: isRequired };
  if (input === 'checkbox')
    return (
      <div className={styles.field}>
        <label className={styles.check}>
          <input
            {...common}
            type="checkbox"
            defaultChecked={value !== undefined}
            aria-invalid={error ? true : undefined}
            aria-describedby={error && `${id}-error`}
          />
          <span>{labelled}</span>
        </label>
        {error ? (
          <p id={`${id}-error`} className={styles.error}>
            {error}
          </p>
        ) : null}
      </div>
    );
  return (
    <FormField
      {...common}
      label={labelled}
      error={error}
      defaultValue={value}
      readOnly={readOnly}
      options={input === 'choice' ? ['', ...options] : null}
      {...ATTRIBUTES[input]}
    />
  );
}
