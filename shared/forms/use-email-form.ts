import { type InputEvent, type SubmitEvent, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLabels } from '../labels/labels-context.ts';
import { dropDraft, restoreDraft, saveDraft } from './drafts.ts';
import { type FormName, type FormState, FormStateContext } from './form-state.ts';
import { type FormAttempt, type PostOutcome, postEmailForm } from './post-email-form.ts';

type Phase = { status: 'idle' | 'pending' } | PostOutcome;

/** Messages in flight, by form. A form that appears again meanwhile gets the same outcome. */
export const sending = new Map<FormName, Promise<PostOutcome>>();

const NO_ERRORS: FormState['errors'] = {};

/** Loads schema and check on demand: they are large, and few visitors fill in a form. */
const loadSubmission = () => import('./form-submission.ts');

/** Posts to `/api/email/send`. After hydration the page stays, and the notice gets the focus. */
export function useEmailForm(form: FormName) {
  const labels = useLabels();
  const posted = use(FormStateContext);
  const initial = posted?.form === form ? posted : null;
  const [phase, setPhase] = useState<Phase>(initial ?? { status: sending.has(form) ? 'pending' : 'idle' });
  const formRef = useRef<HTMLFormElement>(null);
  const noticeRef = useRef<HTMLDivElement>(null);
  const attempt = useRef<FormAttempt>({ key: null, openedAt: 0 });

  useLayoutEffect(() => {
    attempt.current.openedAt = performance.now();
    // The form is missing if the browser posted it before hydration. The page then shows the thanks.
    if (formRef.current) restoreDraft(form, formRef.current);
    else dropDraft(form);
    void sending.get(form)?.then(setPhase);
  }, [form]);
  useEffect(() => {
    if (phase.status !== 'idle' && phase.status !== 'pending') noticeRef.current?.focus();
  }, [phase]);

  async function onSubmit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (phase.status === 'pending') return;
    const element = event.currentTarget;
    setPhase({ status: 'pending' });
    const posting = loadSubmission().then(
      ({ submitForm }) => submitForm(element, attempt.current, labels),
      // Send the form unchecked if the script fails to load, because the server checks it anyway.
      () => postEmailForm(element, labels),
    );
    sending.set(form, posting);
    const outcome = await posting;
    sending.delete(form);
    // Drop the draft even if the visitor has left the page.
    if (outcome.status === 'sent') dropDraft(form);
    setPhase(outcome);
  }

  return {
    status: phase.status,
    message: 'message' in phase ? phase.message : null,
    errors: 'errors' in phase ? phase.errors : NO_ERRORS,
    values: initial?.values ?? NO_ERRORS,
    noticeRef,
    formProps: {
      ref: formRef,
      method: 'post',
      action: '/api/email/send',
      // Disable the browser's check: its messages differ between browsers, the site's do not.
      noValidate: true,
      onSubmit,
      // Preload on focus. If loading fails, the submission retries.
      onFocus: () => void loadSubmission().catch(() => {}),
      // Reset the idempotency key, because a changed text is another message.
      onInput: ({ currentTarget }: InputEvent<HTMLFormElement>) => {
        attempt.current.key = null;
        saveDraft(form, currentTarget);
      },
      'aria-busy': phase.status === 'pending',
    },
  } as const;
}
