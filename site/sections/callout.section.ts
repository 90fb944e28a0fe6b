import { section } from '../../shared/content/descriptions.ts';
import { CALLOUT_TONES, toneOf } from '../../shared/content/rich-text-tags.ts';
import { title } from '../components.ts';

export const callout = section('callout', {
  label: 'Callout',
  noun: 'a callout',
  fields: {
    tone: {
      kind: 'choice',
      of: CALLOUT_TONES,
      label: 'Kind',
      hint: 'note, tip or warning',
      orElse: ['type', 'variant'],
    },
    title,
    body: { kind: 'rich-text', label: 'Text', orElse: ['text', 'content'] },
  },
  read({ tone, title: name, body }, { richText, words, leaveOut, quoted, text, element }) {
    const shownTitle = words(name);
    const shown = [
      ...(shownTitle === null ? [] : [element('p', [element('strong', [text(shownTitle)])])]),
      ...richText(body),
    ];
    const known = toneOf(String(tone ?? 'note'));
    if (known === null)
      leaveOut(`the kind ${quoted(tone)} is none of note, tip and warning: it is shown as a note`);
    return shown.length === 0 ? [] : [element('aside', shown, { dataTone: known ?? 'note' })];
  },
});
