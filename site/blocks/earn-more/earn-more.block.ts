import { block } from '../../../shared/content/descriptions.ts';
import { IN_ORDER, link, picture, text, title, titledText } from '../../components.ts';

export const earnMore = block('earnMore', {
  label: 'Block “Earn more”',
  noun: 'a block about earning',
  fields: {
    title,
    text,
    picture,
    steps: { kind: 'list', component: titledText, noun: 'step', label: 'Steps', hint: IN_ORDER },
    link: { kind: 'object', component: link, label: 'Button' },
  },
  needsOneOf: ['title', 'text', 'steps'],
});
