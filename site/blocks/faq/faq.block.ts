import { block } from '../../../shared/content/descriptions.ts';
import { IN_ORDER, picture, question, title } from '../../components.ts';

export const faq = block('faq', {
  label: 'Block “Questions”',
  noun: 'a block of questions',
  fields: {
    title,
    picture,
    items: { kind: 'list', component: question, label: 'Items', hint: IN_ORDER },
  },
  beside: {
    content: {
      wire: 'faqBlockContent',
      kind: 'rich-text',
      noun: 'text in faqBlockContent',
      label: 'Block “Questions”: text beside the questions',
    },
  },
  needsOneOf: ['items', 'content'],
  standsAlone: true,
});
