import { use } from 'react';
import { sentenceText } from '../../../shared/content/sentence-text.ts';
import { MAX_LENGTHS, SUBSCRIBE_FIELDS } from '../../../shared/forms/form-limits.ts';
import { useEmailForm } from '../../../shared/forms/use-email-form.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { EMAIL_FIELD, FormField } from '../../../shared/ui/fields/form-field.tsx';
import { ShellContext } from '../shell-context.ts';
import { FormExtras } from './form-extras.tsx';
import { FormNotice } from './form-notice.tsx';
import styles from './subscribe-form.module.css';

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
