import { block, component } from '../../../shared/content/descriptions.ts';
import { link, text, title } from '../../components.ts';

const paymentImage = component('payment-image', {
  label: 'Payment method',
  noun: 'a payment method',
  needsOneOf: ['title', 'image'],
  fields: {
    name: { kind: 'text', label: 'Name' },
    title,
    image: { kind: 'picture', label: 'Picture' },
  },
});

export const payments = block('payments', {
  label: 'Block “Payment methods”',
  noun: 'a block of payment methods',
  fields: { title, text, link: { kind: 'object', component: link, label: 'Button' } },
  beside: {
    images: {
      wire: 'paymentBlockImages',
      kind: 'component',
      component: paymentImage,
      many: true,
      noun: 'logo',
      label: 'Block “Payment methods”: pictures',
    },
  },
  needsOneOf: ['title', 'text', 'images'],
});
