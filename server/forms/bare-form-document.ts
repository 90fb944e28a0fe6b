import type { RichText } from '../../shared/content/rich-text.ts';
import { sentenceText } from '../../shared/content/sentence-text.ts';
import { CONTACT_FIELDS } from '../../shared/forms/contact-fields.ts';
import { SUBSCRIBE_FIELDS } from '../../shared/forms/form-limits.ts';
import type { FormState } from '../../shared/forms/form-state.ts';
import { isPageForm, labelOf } from '../../shared/forms/page-form.ts';
import type { SiteLanguage } from '../content/reading/site-language.ts';
import { bareDocument, escapeHtml } from '../render/document.ts';

/**
 * Renders the form with all typed words, without content, React and scripts.
 * @param consent the sentence that subscribers agree to; null without one.
 */
export function bareFormDocument(
  { form, message, errors, values }: FormState,
  language: SiteLanguage,
  consent: RichText | null = null,
): string {
  const { labels } = language;
  const fields = form === 'contact' ? CONTACT_FIELDS : form === 'subscribe' ? SUBSCRIBE_FIELDS : [];
  const shown = [
    ...(errors.website === undefined ? [] : [['website', labels.text('trap')] as const]),
    ...fields.map(name => [name, labels.text(name)] as const),
    // The names of the fields of a page's form have their labels.
    ...Object.keys({ ...values, ...errors }).flatMap(name => {
      const label = labelOf(name);
      return label === null ? [] : [[name, label] as const];
    }),
  ];
  const title = labels.text('messageNotSent');
  const controls = shown.flatMap(([name, label]) => {
    const error = errors[name] === undefined ? '' : `<br><strong>${escapeHtml(errors[name])}</strong>`;
    if (name === 'consent') {
      const sentence = consent && escapeHtml(sentenceText(consent));
      return sentence === null
        ? []
        : `<p><label><input type="checkbox" name="consent" value="${sentence}"> ${sentence}</label>${error}</p>`;
    }
    const value = escapeHtml(name === 'website' ? '' : (values[name] ?? ''));
    const control =
      name === 'message' || value.includes('\n')
        ? // Begin with a line break, which HTML parsers drop. Otherwise they would drop the first one of the
          // message.
          `<textarea name="${escapeHtml(name)}" rows="8" cols="40">\n${value}</textarea>`
        : `<input name="${escapeHtml(name)}" value="${value}" size="40">`;
    return `<p><label>${escapeHtml(label)}<br>${control}</label>${error}</p>`;
  });
  const hidden = ['form', 'page', ...(isPageForm(values.form) ? ['version'] : [])].map(
    name => `<input type="hidden" name="${name}" value="${escapeHtml(values[name] ?? '')}">`,
  );
  return bareDocument(
    language,
    title,
    `<h1>${escapeHtml(title)}</h1><p role="status">${escapeHtml(message ?? '')}</p><form method="post" action="/api/email/send">${hidden.join('')}${controls.join('')}<p><button>${escapeHtml(labels.text('send'))}</button></p></form>`,
  );
}
