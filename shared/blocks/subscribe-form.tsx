import { SUBSCRIBE_LABELS } from '../forms/form-labels.ts';
import { MAX_LENGTHS } from '../forms/form-limits.ts';
import { Button } from '../ui/button.tsx';
import { EMAIL_FIELD, FormField } from '../ui/form-field.tsx';
import { FormExtras } from './form-extras.tsx';
import { FormNotice } from './form-notice.tsx';
import styles from './subscribe-form.module.css';
import { useEmailForm } from './use-email-form.ts';

const THANKS = 'Thank you. You are on the list.';

/** The subscribe form: one field and a button. */
export function SubscribeForm({ labelledBy }: { labelledBy: string }) {
  const { status, message, errors, values, noticeRef, formProps } = useEmailForm('subscribe');
  const notice = (
    <FormNotice
      ref={noticeRef}
      status={status}
      message={message}
      errors={errors}
      labels={SUBSCRIBE_LABELS}
      idPrefix="subscribe"
      thanks={THANKS}
    />
  );
  if (status === 'sent') return notice;
  return (
    <form {...formProps} className={styles.root} aria-labelledby={labelledBy}>
      {notice}
      <div className={styles.row}>
        <FormField
          id="subscribe-email"
          name="email"
          label={SUBSCRIBE_LABELS.email}
          error={errors.email}
          defaultValue={values.email}
          maxLength={MAX_LENGTHS.email}
          readOnly={status === 'pending'}
          {...EMAIL_FIELD}
        />
        <Button type="submit" className={styles.submit} aria-disabled={status === 'pending'}>
          {status === 'pending' ? 'Sending…' : 'Subscribe'}
        </Button>
      </div>
      <FormExtras form="subscribe" error={errors.website} />
    </form>
  );
}
