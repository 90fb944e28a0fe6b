import { CONTACT_FIELDS, type ContactField } from '../../../shared/forms/contact-fields.ts';
import { MAX_LENGTHS } from '../../../shared/forms/form-limits.ts';
import { useEmailForm } from '../../../shared/forms/use-email-form.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { EMAIL_FIELD, FormField } from '../../../shared/ui/fields/form-field.tsx';
import styles from './contact-form.module.css';
import { FormExtras } from './form-extras.tsx';
import { FormNotice } from './form-notice.tsx';

export function ContactForm() {
  const labels = useLabels();
  const { status, message, errors, values, noticeRef, formProps } = useEmailForm('contact');
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
  if (status === 'sent') return notice;
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
        {labels.text(status === 'pending' ? 'sending' : 'sendMessage')}
      </Button>
    </form>
  );
}
