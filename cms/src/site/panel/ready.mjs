import { createElement } from 'react';
import { addressOf, LINK, LIST, named, TEXT, useAnswer } from './widget.mjs';

/** Adds the drafts that wait for an editor to the start page. */
export function addReadyDrafts(app, word, icon) {
  app.widgets.register({
    icon,
    title: named('Ready to publish'),
    component: async () => () => createElement(ReadyDrafts, { word }),
    id: 'site-ready',
  });
}

function ReadyDrafts({ word }) {
  const { drafts } = useAnswer('ready') ?? {};
  if (!drafts) return null;
  if (drafts.length === 0) return createElement('p', { style: TEXT }, word('No draft waits'));
  const rows = drafts.map(draft => createElement(ReadyDraft, { key: draft.id, draft, word }));
  return createElement('ul', { style: { ...LIST, maxHeight: '320px', overflow: 'auto' } }, ...rows);
}

function ReadyDraft({ draft, word }) {
  const form = addressOf(draft);
  const link = (href, text) => createElement('a', { href, style: LINK }, text);
  const since = new Date(draft.readySince).toLocaleString(document.documentElement.lang);
  const about = [word(draft.type), draft.readyBy, since].filter(Boolean).join(', ');
  const title = link(form, draft.title || word(draft.type));
  return createElement('li', null, title, ` ${about} `, link(`${form}/preview`, word('Preview')));
}
