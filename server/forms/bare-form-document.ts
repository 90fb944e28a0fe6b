import { CONTACT_LABELS } from '../../shared/forms/contact-labels.ts';
import { SUBSCRIBE_LABELS, TRAP_LABEL } from '../../shared/forms/form-labels.ts';
import type { FormState } from '../../shared/forms/form-state.ts';
import { bareDocument, escapeHtml } from '../render/document.ts';

/**
 * @returns the form alone with all typed words: the answer to a form post when the page of the form cannot be rendered. The document
 * needs no content, no render and no script.
 */
export function bareFormDocument({ form, message, errors, values }: FormState): string {
  const labels: Readonly<Record<string, string>> = {
    ...(errors.website === undefined ? {} : { website: TRAP_LABEL }),
    ...(form === 'contact' ? CONTACT_LABELS : SUBSCRIBE_LABELS),
  };
  const title = 'Your message has not been sent';
  const fields = Object.entries(labels).map(([name, label]) => {
    const value = escapeHtml(name === 'website' ? '' : (values[name] ?? ''));
    const control =
      name === 'message'
        ? // HTML parsers drop a line break right after the tag: without this one, the first line break of the message would be lost.
          `<textarea name="${name}" rows="8" cols="40">\n${value}</textarea>`
        : `<input name="${name}" value="${value}" size="40">`;
    const error = errors[name] === undefined ? '' : `<br><strong>${escapeHtml(errors[name])}</strong>`;
    return `<p><label>${label}<br>${control}</label>${error}</p>`;
  });
  const hidden = ['form', 'page'].map(
    name => `<input type="hidden" name="${name}" value="${escapeHtml(values[name] ?? '')}">`,
  );
  return bareDocument(
    title,
    `<h1>${title}</h1><p role="status">${escapeHtml(message ?? '')}</p><form method="post" action="/api/email/send">${hidden.join('')}${fields.join('')}<p><button>Send</button></p></form>`,
  );
}
