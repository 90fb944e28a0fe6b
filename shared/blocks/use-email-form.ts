import { type SubmitEvent, use, useEffect, useRef, useState } from 'react';
import { type FormName, type FormState, FormStateContext } from '../form-state.ts';
import { useMounted } from '../ui/use-mounted.ts';
import { postEmailForm } from './post-email-form.ts';

type Phase = { status: 'idle' | 'pending' } | Pick<FormState, 'status' | 'message' | 'errors'>;

const NO_ERRORS: FormState['errors'] = {};

/** Own sentences for what the browser's validation finds. */
function sentenceFor(control: HTMLInputElement | HTMLTextAreaElement): string | null {
  const { validity } = control;
  if (validity.valid) return null;
  if (validity.valueMissing) return 'Please fill in this field.';
  if (validity.typeMismatch) return 'Please enter a complete e-mail address, such as name@example.com.';
  if (validity.tooLong) return `Please use no more than ${control.maxLength} characters.`;
  return control.validationMessage;
}

function errorsOf(form: HTMLFormElement): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) continue;
    const sentence = sentenceFor(control);
    if (sentence) errors[control.name] = sentence;
  }
  return errors;
}

/** @returns a random UUID. `crypto.randomUUID` is there only over https and on localhost; the random numbers are there always. */
function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  // RFC 9562, version 4.
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

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
  /** One key an attempt to send the same words: a second press sends no second message. */
  const keyRef = useRef<string | null>(null);

  useEffect(() => {
    if (phase.status !== 'idle' && phase.status !== 'pending') noticeRef.current?.focus();
  }, [phase]);

  async function onSubmit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (phase.status === 'pending') return;
    const element = event.currentTarget;
    const errors = errorsOf(element);
    if (Object.keys(errors).length > 0) {
      setPhase({ status: 'invalid', message: null, errors });
      return;
    }
    keyRef.current ??= newKey();
    setPhase({ status: 'pending' });
    const outcome = await postEmailForm(element, keyRef.current);
    if (outcome.status !== 'failed') keyRef.current = null;
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
      // Other words are another message.
      onInput: () => {
        keyRef.current = null;
      },
      'aria-busy': phase.status === 'pending',
    },
  } as const;
}
