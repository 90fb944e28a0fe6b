import { createElement } from 'react';
import { addressOf, LINK, LIST, TEXT, useAnswer, word } from './widget.mjs';

export function ReadyDrafts() {
  const { drafts } = useAnswer('ready') ?? {};
  if (!drafts) return null;
  if (drafts.length === 0) return createElement('p', { style: TEXT }, word('No draft waits'));
  const rows = drafts.map(draft => createElement(ReadyDraft, { key: draft.id, draft }));
  return createElement('ul', { style: { ...LIST, maxHeight: '320px', overflow: 'auto' } }, ...rows);
}

function ReadyDraft({ draft }) {
  const form = addressOf(draft);
  const link = (href, text) => createElement('a', { href, style: LINK }, text);
  const since = new Date(draft.readySince).toLocaleString(document.documentElement.lang);
  const about = [word(draft.type), draft.readyBy, since].filter(Boolean).join(', ');
  const title = link(form, draft.title || word(draft.type));
  return createElement('li', null, title, ` ${about} `, link(`${form}/preview`, word('Preview')));
}
