import { use } from 'react';
import { sentenceText } from '../content/sentence-text.ts';
import { SUBSCRIBE_FIELDS } from '../forms/form-fields.ts';
import { MAX_LENGTHS } from '../forms/form-limits.ts';
import { useLabels } from '../labels/labels-context.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { EMAIL_FIELD, FormField } from '../ui/form-field.tsx';
import { FormExtras } from './form-extras.tsx';
import { FormNotice } from './form-notice.tsx';
import { ShellContext } from './shell-context.ts';
import styles from './subscribe-form.module.css';
import { useEmailForm } from './use-email-form.ts';

/** The subscribe form: one field, the sentence to which subscribers agree if the settings have one, and a button. */
export function SubscribeForm({ labelledBy }: { labelledBy: string }) {
  const labels = useLabels();
  const { subscribeConsent: consent, confirmsSubscription: isConfirmed } = use(ShellContext) ?? {};
  const { status, message, errors, values, noticeRef, formProps } = useEmailForm('subscribe');
  const notice = (
    <FormNotice
      ref={noticeRef}
      status={status}
      message={message}
      errors={errors}
      fields={SUBSCRIBE_FIELDS}
      idPrefix="subscribe"
      thanks={labels.text(isConfirmed ? 'subscribedConfirm' : 'subscribed')}
    />
  );
  if (status === 'sent') return notice;
  const button = (
    <Button type="submit" className={styles.submit} aria-disabled={status === 'pending'}>
      {labels.text(status === 'pending' ? 'sending' : 'subscribe')}
    </Button>
  );
  return (
    <form {...formProps} className={styles.root} aria-labelledby={labelledBy}>
      {notice}
      <div className={styles.row}>
        <FormField
          id="subscribe-email"
          name="email"
          label={labels.text('email')}
          error={errors.email}
          defaultValue={values.email}
          maxLength={MAX_LENGTHS.email}
          readOnly={status === 'pending'}
          {...EMAIL_FIELD}
        />
        {consent ? null : button}
      </div>
      {consent ? (
        <>
          <CheckField
            id="subscribe-consent"
            name="consent"
            sentence={consent}
            error={errors.consent}
            defaultChecked={values.consent === sentenceText(consent)}
          />
          {button}
        </>
      ) : null}
      {isConfirmed ? <p className={styles.follows}>{labels.text('subscribeFollows')}</p> : null}
      <FormExtras form="subscribe" error={errors.website} />
    </form>
  );
}
