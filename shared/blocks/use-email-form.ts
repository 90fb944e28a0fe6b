import { type SubmitEvent, use, useEffect, useRef, useState } from 'react';
import { type FormName, type FormState, FormStateContext } from '../forms/form-state.ts';
import { useMounted } from '../ui/use-mounted.ts';
import { type FormAttempt, type PostOutcome, postEmailForm } from './post-email-form.ts';

type Phase = { status: 'idle' | 'pending' } | PostOutcome;

const NO_ERRORS: FormState['errors'] = {};

/** The schema is heavy, and most visitors fill in no form. */
const loadSubmission = () => import('./form-submission.ts');

/**
 * A form that posts to `/api/email/send`: as the browser does it until the page is alive, then in place.
 * After an answer the focus moves to the summary or the thanks.
 */
export function useEmailForm(form: FormName) {
  const posted = use(FormStateContext);
  const initial = posted?.form === form ? posted : null;
  const [phase, setPhase] = useState<Phase>(initial ?? { status: 'idle' });
  const enhanced = useMounted();
  const noticeRef = useRef<HTMLDivElement>(null);
  const attempt = useRef<FormAttempt>({ key: null, openedAt: 0 });

  useEffect(() => {
    attempt.current.openedAt = performance.now();
  }, []);
  useEffect(() => {
    if (phase.status !== 'idle' && phase.status !== 'pending') noticeRef.current?.focus();
  }, [phase]);

  async function onSubmit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (phase.status === 'pending') return;
    const element = event.currentTarget;
    setPhase({ status: 'pending' });
    const outcome = await loadSubmission().then(
      ({ submitForm }) => submitForm(element, attempt.current),
      // Without the script that checks it, the server alone judges.
      () => postEmailForm(element),
    );
    setPhase(outcome);
  }

  return {
    status: phase.status,
    message: 'message' in phase ? phase.message : null,
    errors: 'errors' in phase ? phase.errors : NO_ERRORS,
    values: initial?.values ?? NO_ERRORS,
    noticeRef,
    formProps: {
      method: 'post',
      action: '/api/email/send',
      noValidate: enhanced,
      onSubmit,
      // Ahead of the submission; one that fails is tried again then.
      onFocus: () => void loadSubmission().catch(() => {}),
      // Other words are another message.
      onInput: () => {
        attempt.current.key = null;
      },
      'aria-busy': phase.status === 'pending',
    },
  } as const;
}
