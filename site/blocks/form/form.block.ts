import { block, component } from '../../../shared/content/descriptions.ts';
import { INPUTS } from '../../../shared/forms/page-form.ts';
import { IN_ORDER, text, title } from '../../components.ts';

const formField = component('form-field', {
  label: 'Field of a form',
  noun: 'a field of a form',
  needs: ['label'],
  fields: {
    label: { kind: 'text', label: 'Label', hint: 'What visitors shall fill in, such as “Your telephone”' },
    input: {
      kind: 'choice',
      of: INPUTS,
      label: 'Kind',
      hint: 'Without one it is a text of one line',
    },
    needed: { kind: 'flag', label: 'Must be filled in' },
    hint: { kind: 'text', label: 'Hint', hint: 'Shown below the label' },
    options: {
      kind: 'text',
      long: true,
      isCode: true,
      label: 'Choices',
      hint: 'One in each line, for a choice',
    },
  },
});

export const form = block('form', {
  label: 'Block “Form”',
  noun: 'a form',
  fields: {
    title,
    text,
    items: { kind: 'list', component: formField, label: 'Fields', hint: IN_ORDER },
    addressee: {
      kind: 'text',
      isCode: true,
      label: 'Addressee',
      hint: 'The e-mail address that gets the messages. No page shows it. Without one it is that of the contact form',
      strapi: { type: 'email' },
    },
    button: { kind: 'text', label: 'Words of the button', hint: 'Two or three, such as “Send the request”' },
    thanks: { kind: 'text', label: 'Thanks', hint: 'Shown after a message was sent' },
  },
  needsOneOf: ['items'],
  hasForm: 'many',
});
