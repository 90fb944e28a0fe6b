import { type ReactNode, type SubmitEvent, useState } from 'react';
import { CONTACT_FIELDS, type ContactField } from '../../../shared/forms/contact-fields.ts';
import { MAX_LENGTHS } from '../../../shared/forms/form-limits.ts';
import { useEmailForm } from '../../../shared/forms/use-email-form.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { EMAIL_FIELD, FormField } from '../../../shared/ui/fields/form-field.tsx';
import styles from './contact-form.module.css';
import { FormExtras } from './form-extras.tsx';
import { FormNotice } from './form-notice.tsx';

interface ContactFormProps {
  /** The topics to choose from, one in each line. */
  topics?: string | null;
  sent?: ReactNode;
}

export function ContactForm({ topics, sent }: ContactFormProps) {
  const labels = useLabels();
  const { status, message, errors, values, noticeRef, formProps } = useEmailForm('contact');
  const [typed, setTyped] = useState<{ message: string; height: number } | null>(null);
  // A choice has no limit for its length.
  const choice = topics ? { options: ['', ...topics.split('\n')], maxLength: undefined } : {};
  const notice = (
    <FormNotice
      ref={noticeRef}
      status={status}
      message={message}
      errors={errors}
      fields={CONTACT_FIELDS}
      idPrefix="contact"
      thanks={labels.text('messageSent')}
    />
  );
  if (status === 'sent')
    return (
      <div className={styles.root} style={{ minBlockSize: typed?.height }}>
        {notice}
        {typed ? <blockquote className={styles.typed}>{typed.message}</blockquote> : null}
        {sent}
      </div>
    );
  const field = (name: ContactField) => ({
    id: `contact-${name}`,
    name,
    label: labels.text(name),
    error: errors[name],
    defaultValue: values[name],
    maxLength: MAX_LENGTHS[name],
    // Lock the text while the message is being sent, because it would miss new text.
    readOnly: status === 'pending',
  });
  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    const { offsetHeight: height } = event.currentTarget;
    setTyped({ message: String(new FormData(event.currentTarget).get('message')), height });
    void formProps.onSubmit(event);
  }
  return (
    <form {...formProps} onSubmit={onSubmit} className={styles.root} aria-labelledby="contacts-title">
      {notice}
      <div className={styles.pair}>
        <FormField {...field('name')} autoComplete="name" required />
        <FormField {...field('email')} {...EMAIL_FIELD} />
      </div>
      <div className={styles.pair}>
        <FormField {...field('company')} autoComplete="organization" />
        <FormField {...field('topic')} autoComplete="off" {...choice} />
      </div>
      <FormField {...field('message')} rows={5} required />
      <FormExtras form="contact" error={errors.website} />
      <Button type="submit" className={styles.submit} aria-disabled={status === 'pending'}>
        {labels.text(status === 'pending' ? 'sending' : 'sendMessage')}
      </Button>
    </form>
  );
}
