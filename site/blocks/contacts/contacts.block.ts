import { block, component } from '../../../shared/content/descriptions.ts';
import { picture, text, title } from '../../components.ts';

const checkmark = component('checkmark', {
  label: 'Line with a check mark',
  noun: 'a line with a check mark',
  fields: { text: { kind: 'text', label: 'Text' } },
});

export const contacts = block('contacts', {
  label: 'Block “Contacts”',
  noun: 'a block of contacts',
  fields: {
    title,
    text,
    picture,
    email: { kind: 'text', label: 'E-mail address' },
    phone: { kind: 'text', label: 'Telephone number' },
    address: { kind: 'text', label: 'Postal address' },
    topics: {
      kind: 'text',
      long: true,
      label: 'Topics',
      hint: 'One in each line: visitors choose among them. Without topics they type one',
    },
  },
  beside: {
    checkmarks: {
      wire: 'contactsListWithCheckmarks',
      kind: 'texts',
      component: checkmark,
      many: true,
      label: 'Block “Contacts”: list with check marks',
    },
  },
  hasForm: 'once',
});
