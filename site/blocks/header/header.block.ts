import { block, component } from '../../../shared/content/descriptions.ts';
import { fact, IN_ORDER, link, text, title, titledText } from '../../components.ts';

/** The kinds of the first block. `header.tsx` names the view of each. */
const headerKinds = ['ticket', 'picture', 'film', 'figures', 'map', 'plain'] as const;
export type HeaderKind = (typeof headerKinds)[number];

const ticket = component('ticket', {
  label: 'Ticket',
  noun: 'a ticket',
  titleField: 'title',
  needs: ['title', 'amount'],
  fields: {
    title: {
      kind: 'text',
      label: 'Title',
      hint: 'On the button that shows the ticket, such as Germany → Vietnam',
    },
    amountLabel: { kind: 'text', label: 'Words above the amount' },
    amount: { kind: 'text', label: 'Amount', hint: 'In large letters' },
    by: { kind: 'text', label: 'Line below the amount', hint: 'Such as the hour of arrival' },
    lines: { kind: 'list', component: titledText, label: 'Lines', hint: IN_ORDER },
    from: { kind: 'text', label: 'From', hint: 'A country: the map behind the ticket joins both' },
    to: { kind: 'text', label: 'To', hint: 'A country' },
  },
});

export const header = block('header', {
  label: 'First block',
  noun: 'the first block',
  fields: {
    kind: {
      kind: 'choice',
      of: headerKinds,
      label: 'Kind',
      hint: 'Empty: a map of the world if it has a place of a country of this page, else plain. A kind without its content is plain, too',
    },
    eyebrow: { kind: 'text', label: 'Line above the title' },
    title,
    text,
    primary: { kind: 'object', component: link, label: 'First button' },
    tickets: {
      kind: 'list',
      component: ticket,
      label: 'Tickets',
      hint: 'For the kind “ticket”: what a visitor gets, each with a button. The first is shown at first',
      optional: 'the first block shows no tickets',
    },
    secondary: { kind: 'object', component: link, label: 'Second button' },
    picture: {
      kind: 'picture',
      label: 'Picture',
      hint: 'For the kind “picture”. A film shows it before it plays',
      placeWidth: 1640,
      optional: 'the first block shows no picture',
    },
    film: {
      kind: 'file',
      label: 'Film',
      hint: 'For the kind “film”: MP4 or WebM. It plays when a visitor starts it',
      optional: 'the first block shows no film',
      strapi: { allowedTypes: ['videos'] },
    },
    captions: {
      kind: 'file',
      label: 'Captions',
      hint: 'A file in the form WebVTT (.vtt), for those who do not hear the film',
      optional: 'the film of the first block has no captions',
      strapi: { allowedTypes: ['files'] },
    },
    figures: {
      kind: 'list',
      component: fact,
      label: 'Figures',
      hint: 'For the kind “figures”: two to four, the value in large letters',
      optional: 'the first block shows no figures',
    },
  },
  byKind: {
    ticket: ['tickets'],
    map: ['countries_list'],
    picture: ['picture'],
    film: ['film', 'picture', 'captions'],
    figures: ['figures'],
  },
  beside: {
    icons: {
      wire: 'block1Icons',
      kind: 'labelled-files',
      label: 'First block: icons',
      hint: 'The caption of a file is the text beside its icon',
    },
  },
});
