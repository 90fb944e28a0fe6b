import { CONTACT_LABELS } from '../forms/contact-labels.ts';
import { MAX_LENGTHS } from '../forms/form-limits.ts';
import { Button } from '../ui/button.tsx';
import { EMAIL_FIELD, FormField } from '../ui/form-field.tsx';
import styles from './contact-form.module.css';
import { FormExtras } from './form-extras.tsx';
import { FormNotice } from './form-notice.tsx';
import { useEmailForm } from './use-email-form.ts';

const THANKS = 'Thank you. Your message has arrived, and a person will answer it.';

/** The contact form. Without JavaScript the answer is the same page with a notice. */
export function ContactForm() {
  const { status, message, errors, values, noticeRef, formProps } = useEmailForm('contact');
  const notice = (
    <FormNotice
      ref={noticeRef}
      status={status}
      message={message}
      errors={errors}
      labels={CONTACT_LABELS}
      idPrefix="contact"
      thanks={THANKS}
    />
  );
  if (status === 'sent') return notice;
  const field = (name: keyof typeof CONTACT_LABELS) => ({
    id: `contact-${name}`,
    name,
    label: CONTACT_LABELS[name],
    error: errors[name],
    defaultValue: values[name],
    maxLength: MAX_LENGTHS[name],
    // The message is being sent: text typed now would not be in it.
    readOnly: status === 'pending',
  });
  return (
    <form {...formProps} className={styles.root} aria-labelledby="contacts-title">
      {notice}
      <div className={styles.pair}>
        <FormField {...field('name')} autoComplete="name" required />
        <FormField {...field('email')} {...EMAIL_FIELD} />
      </div>
      <div className={styles.pair}>
        <FormField {...field('company')} autoComplete="organization" />
        <FormField {...field('topic')} autoComplete="off" />
      </div>
      <FormField {...field('message')} rows={5} required />
      <FormExtras form="contact" error={errors.website} />
      <Button type="submit" className={styles.submit} aria-disabled={status === 'pending'}>
        {status === 'pending' ? 'Sending…' : 'Send message'}
      </Button>
    </form>
  );
}
