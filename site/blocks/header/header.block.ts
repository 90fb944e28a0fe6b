import { block, component } from '../../../shared/content/descriptions.ts';
import { IN_ORDER, link, text, title, titledText } from '../../components.ts';
import { headerKinds } from './kinds.ts';

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
      hint: 'Empty: a map of the world if it has a place of a country of this page, else plain. A first block of tickets without one is shown so, too',
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
