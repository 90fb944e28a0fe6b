import { block, component } from '../../../shared/content/descriptions.ts';
import { titledText } from '../../components.ts';

const metric = component('usd-metric', {
  label: 'Amount',
  noun: 'a figure',
  needs: ['value'],
  fields: {
    value: {
      kind: 'number',
      label: 'Amount',
      noun: 'number',
      // Use a float for cents: an integer loses them, and Strapi's decimal ends at 99,999,999.
      strapi: { type: 'float' },
    },
    label: { kind: 'text', label: 'Text below the amount' },
    note: { kind: 'text', label: 'Note', hint: 'Small print' },
  },
});

export const metrics = block('metrics', {
  label: 'Block “Figures”',
  noun: 'a block of figures',
  beside: {
    usd: {
      wire: 'metricsBlockUsdList',
      kind: 'list',
      component: metric,
      label: 'Block “Figures”: amounts',
      hint: 'In the currency of the settings',
    },
    qualities: {
      wire: 'metricsBlockPositiveQualities',
      kind: 'list',
      component: titledText,
      label: 'Block “Figures”: qualities',
    },
  },
  needsOneOf: ['usd', 'qualities'],
});
